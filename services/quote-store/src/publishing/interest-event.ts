import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { ChosenOptionSchema, InterestExpressedSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import type { ChosenOption } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import type { Telling } from '../domain/interest.ts';
import { partiesOf } from '../domain/parties.ts';
import type { Interest, Quote } from '../domain/quote.ts';
import { toPartiesMessage } from '../rpc/quote-messages.ts';
import { basisPointsIn, readMembers, textIn, textOrNullIn, toObject, wholeNumberIn } from './stored-members.ts';

/** What was told of an interest once is told of it always: the same event, byte for byte. */
export function interestEvent(
  quote: Quote,
  interest: Interest,
  { agencyId, telling }: { readonly agencyId: string; readonly telling: Telling },
): Event {
  const { eventId, requestId, traceparent } = telling;
  const submittedAt = timestampFromDate(interest.submittedAt);
  const clientReferenceId = textOrNullIn(readMembers(quote.requestMembers), 'client_reference_id');
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
  const options = readMembers(pricedMembers).members.get('options');
  const option = Array.isArray(options)
    ? options.map(toObject).find((each) => textIn(each, 'id') === optionId)
    : undefined;
  if (!option) throw new Error(`the stored quote has no option ${optionId}`);
  return create(ChosenOptionSchema, {
    optionId,
    downPaymentBasisPoints: basisPointsIn(option, 'down_payment_rate'),
    termMonths: wholeNumberIn(option, 'term_months'),
    aprBasisPoints: basisPointsIn(option, 'apr'),
    downPayment: textIn(option, 'down_payment'),
    amountFinanced: textIn(option, 'amount_financed'),
    monthlyPayment: textIn(option, 'monthly_payment'),
    financeCharge: textIn(option, 'finance_charge'),
    totalOfPayments: textIn(option, 'total_of_payments'),
    totalCost: textIn(option, 'total_cost'),
  });
}
