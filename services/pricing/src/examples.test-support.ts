import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DealSchema } from '@pfq/proto/pricing/v1/deal_pb';
import type { Deal } from '@pfq/proto/pricing/v1/deal_pb';

export const PRICED_AT = timestampFromDate(new Date('2026-12-01T15:00:00Z'));

/** The worked example of the pricing model: with A_MINUS_CARRIER on file and a flat 4 %, `opt_25_10` is 1,568.62 a month. */
export function workedExample(): Deal {
  return create(DealSchema, {
    today: '2026-12-01',
    insured: { state: 'TX', line1: '1 Main Street', city: 'Austin', postalCode: '78701' },
    policies: [
      {
        premium: '20000.00',
        minimumEarned: { case: 'minimumEarnedRate', value: '0.25' },
        effectiveDate: '2026-12-01',
        expirationDate: '2027-12-01',
        carrier: { name: A_MINUS_CARRIER.name },
        coverageTypes: ['general_liability'],
        auditable: true,
        documentType: 'binder',
        policyNumber: 'GL-1',
      },
    ],
  });
}

export const A_MINUS_CARRIER = { name: 'Example Minus Insurance Company', naicCode: '99901', rating: 'A-' };

/** A sheet with one rate for every term, as of the day before the worked example. */
export function flatSheet(rate: string, asOf = '2026-11-30'): string {
  return `{ "as_of": "${asOf}", "source": "test", "rates": { "1": ${rate} } }`;
}
