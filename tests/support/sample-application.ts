/** A public application with every field filled in, and the agency it belongs to, but for `changes`. */
export function sampleApplication(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    agency_id: 'agy_0000000000000000000001',
    id: 'app_0000000000000000000001',
    object: 'application',
    livemode: true,
    status: 'pending_activation',
    created_via: 'email',
    quote_id: 'qte_0000000000000000000001',
    accepted_option_id: 'opt_25_10',
    pricing: {
      option_id: 'opt_25_10',
      down_payment_rate: 0.25,
      term_months: 10,
      apr: 0.0986,
      down_payment: '5000.00',
      amount_financed: '15000.00',
      monthly_payment: '1568.62',
      finance_charge: '686.20',
      total_of_payments: '15686.20',
      total_cost: '20686.20',
      selected_by: 'broker',
    },
    insured: {
      name: 'Hill Country Roofing LLC',
      address: { line1: '410 Congress Ave', city: 'Austin', state: 'TX', postal_code: '78701' },
    },
    broker: { email: 'ana@lonestar.example' },
    policies: [
      {
        id: 'pol_0000000000000000000001',
        carrier: { name: 'Demo Dewberry Insurance Company', match: 'matched' },
        total: '20000.00',
        effective_date: '2026-12-01',
        expiration_date: '2027-12-01',
        document_type: 'binder',
        policy_number: 'GL-1001',
      },
    ],
    requirements: {
      blocking: [{ code: 'AGREEMENT_DECLINED', param: 'borrower', description: 'Call the insured.', due_by: null }],
      outstanding: [
        { code: 'POLICY_NUMBER', param: 'policies[0].policy_number', description: 'Send it.', due_by: '2026-12-31' },
      ],
    },
    portal_url: 'https://portal.example/applications/1',
    client_reference_id: 'deal-7',
    metadata: { desk: 'austin' },
    created_at: '2026-11-20T09:30:00.123Z',
    ...changes,
  };
}
