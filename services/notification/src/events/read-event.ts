import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { isEmailAddress } from '@pfq/kit/email-address';
import { UnreadableEvent } from '@pfq/kit/events';
import { isId } from '@pfq/kit/ids';
import type { TraceCarrier } from '@pfq/kit/telemetry/spans';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { InterestExpressedSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import type { ChosenOption, InterestExpressed } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import type { Interest } from '../email/interest.ts';

/** An event that can be acted upon. */
export type InterestEvent = {
  readonly eventId: string;
  readonly requestId: string;
  /** Null where there is none, or nothing that one could go on with. */
  readonly traceparent: string | null;
  readonly agencyId: string;
  /** Email address of the owning broker. */
  readonly recipient: string;
  readonly interest: Interest;
};

const NEWEST_SCHEMA = 1;
/** W3C Trace Context, version 00, which is the only one there is. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const MONEY = /^-?\d{1,12}\.\d{2}$/;

/** The envelope of a Kafka record; throws UnreadableEvent where it is none. */
export function decodeEvent(value: Uint8Array): Event {
  try {
    return fromBinary(EventSchema, value);
  } catch (error) {
    throw new UnreadableEvent('the envelope cannot be decoded', { cause: error });
  }
}

/** What an event says that it is part of, whatever else it is. */
export function traceOf(value: Uint8Array): TraceCarrier {
  try {
    return { traceparent: decodeEvent(value).traceparent };
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    return {};
  }
}

/** Throws UnreadableEvent, without a word of what it holds, for whatever nobody could be told about by email. */
export function readInterestEvent(event: Event): InterestEvent {
  const { eventId, requestId, type, schemaVersion, traceparent = '' } = event;
  require(type === INTEREST_EXPRESSED.name, 'its type is unknown');
  require(schemaVersion >= 1 && schemaVersion <= NEWEST_SCHEMA, 'its schema version is unknown');
  require(isId('evt_', eventId), 'its id is malformed');
  require(isId('req_', requestId), 'its request id is malformed');
  return {
    eventId,
    requestId,
    traceparent: TRACEPARENT.test(traceparent) ? traceparent : null,
    ...readInterest(event.payload),
  };
}

function readInterest(payload: Uint8Array): Pick<InterestEvent, 'agencyId' | 'recipient' | 'interest'> {
  const { agencyId, mode, quoteId, clientReferenceId, parties, option, note, submittedAt } = decodeInterest(payload);
  require(mode === Mode.LIVE, 'nobody is told of what is not live');
  require(isId('agy_', agencyId), 'the agency id is malformed');
  require(isId('qte_', quoteId), 'the quote id is malformed');
  require(parties !== undefined && isEmailAddress(parties.brokerEmail), 'there is no recipient');
  require(option !== undefined && isWhole(option), 'the option is incomplete');
  require(submittedAt !== undefined && !Number.isNaN(timestampDate(submittedAt).getTime()), 'its time is no instant');
  return {
    agencyId,
    recipient: parties.brokerEmail,
    interest: {
      quoteId,
      clientReferenceId: clientReferenceId ?? null,
      insuredName: parties.insuredName ?? null,
      agencyName: parties.agencyName ?? null,
      brokerName: parties.brokerName ?? null,
      option,
      note: note ?? null,
      submittedAt: timestampDate(submittedAt),
    },
  };
}

function decodeInterest(payload: Uint8Array): InterestExpressed {
  try {
    return fromBinary(InterestExpressedSchema, payload);
  } catch (error) {
    throw new UnreadableEvent('the payload cannot be decoded', { cause: error });
  }
}

function isWhole(option: ChosenOption): boolean {
  const { downPayment, amountFinanced, monthlyPayment, financeCharge, totalOfPayments, totalCost } = option;
  const amounts = [downPayment, amountFinanced, monthlyPayment, financeCharge, totalOfPayments, totalCost];
  return option.optionId !== '' && option.termMonths > 0 && amounts.every((amount) => MONEY.test(amount));
}

function require(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new UnreadableEvent(reason);
}
