/** A deal that is eligible whenever it is sent: a year's general liability from the first of next month (UTC). */
export function exampleRequest(now: Date): Readonly<Record<string, unknown>> {
  const first = (years: number) => new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth() + 1, 1));
  return {
    insured: {
      name: 'Hill Country Roofing LLC',
      address: { line1: '410 Congress Ave', city: 'Austin', state: 'TX', postal_code: '78701' },
    },
    policies: [
      {
        premium: '20000.00',
        taxes_and_fees: [],
        minimum_earned: { rate: 0.25 },
        effective_date: toDay(first(0)),
        expiration_date: toDay(first(1)),
        carrier: { name: 'Demo Dewberry Insurance Company' },
        coverages: [{ type: 'general_liability' }],
        auditable: true,
        document_type: 'policy',
        policy_number: 'GL-1001',
      },
    ],
  };
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}
