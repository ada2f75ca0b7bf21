import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { readMembers } from '@pfq/kit/json-members';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { ChosenOptionSchema, InterestExpressedSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import type { ChosenOption } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import type { Telling } from '../domain/interest.ts';
import { requireKnownVersion } from '../domain/api-version.ts';
import { partiesOf } from '../domain/parties.ts';
import type { Interest, Quote } from '../domain/quote.ts';
import { toPartiesMessage } from '../messages/parties-message.ts';

/** What was told of an interest once is told of it always: the same event, byte for byte. */
export function interestEvent(
  quote: Quote,
  interest: Interest,
  { agencyId, telling }: { readonly agencyId: string; readonly telling: Telling },
): Event {
  requireKnownVersion(quote);
  const { eventId, requestId, traceparent } = telling;
  const submittedAt = timestampFromDate(interest.submittedAt);
  const clientReferenceId = readMembers(quote.requestMembers).textOrNull('client_reference_id');
  const payload = create(InterestExpressedSchema, {
    agencyId,
    mode: Mode.LIVE,
    quoteId: quote.id,
    ...(clientReferenceId !== null && { clientReferenceId }),
    parties: toPartiesMessage(partiesOf(quote)),
    option: chosenOption(quote.pricedMembers, interest.optionId),
    ...(interest.note !== null && { note: interest.note }),
    submittedAt,
  });
  return create(EventSchema, {
    eventId,
    type: INTEREST_EXPRESSED.name,
    schemaVersion: 1,
    occurredAt: submittedAt,
    requestId,
    ...(traceparent !== null && { traceparent }),
    payload: toBinary(InterestExpressedSchema, payload),
  });
}

function chosenOption(pricedMembers: Uint8Array, optionId: string): ChosenOption {
  const options = readMembers(pricedMembers).objects('options');
  const option = options.find((each) => each.text('id') === optionId);
  if (!option) throw new Error(`the stored quote has no option ${optionId}`);
  return create(ChosenOptionSchema, {
    optionId,
    downPaymentBasisPoints: option.basisPoints('down_payment_rate'),
    termMonths: option.wholeNumber('term_months'),
    aprBasisPoints: option.basisPoints('apr'),
    downPayment: option.money('down_payment'),
    amountFinanced: option.money('amount_financed'),
    monthlyPayment: option.money('monthly_payment'),
    financeCharge: option.money('finance_charge'),
    totalOfPayments: option.money('total_of_payments'),
    totalCost: option.money('total_cost'),
  });
}
