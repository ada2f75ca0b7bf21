import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ApplicationSchema } from '@pfq/proto/application/v1/application_pb';
import type { Application } from '@pfq/proto/application/v1/application_pb';

/** The sample application of `tests/support`, as the application service tells of it, but for `changes`. */
export function fullApplication(changes: Partial<Application> = {}): Application {
  const full = create(ApplicationSchema, {
    id: 'app_0000000000000000000001',
    status: 'pending_activation',
    createdVia: 'email',
    quoteId: 'qte_0000000000000000000001',
    acceptedOptionId: 'opt_25_10',
    pricing: {
      optionId: 'opt_25_10',
      downPaymentRate: 0.25,
      termMonths: 10,
      apr: 0.0986,
      downPayment: '5000.00',
      amountFinanced: '15000.00',
      monthlyPayment: '1568.62',
      financeCharge: '686.20',
      totalOfPayments: '15686.20',
      totalCost: '20686.20',
      selectedBy: 'broker',
    },
    insured: {
      name: 'Hill Country Roofing LLC',
      address: { line1: '410 Congress Ave', city: 'Austin', state: 'TX', postalCode: '78701' },
    },
    brokerEmail: 'ana@lonestar.example',
    policies: [
      {
        id: 'pol_0000000000000000000001',
        carrierName: 'Demo Dewberry Insurance Company',
        carrierMatch: 'matched',
        total: '20000.00',
        effectiveDate: '2026-12-01',
        expirationDate: '2027-12-01',
        documentType: 'binder',
        policyNumber: 'GL-1001',
      },
    ],
    blocking: [{ code: 'AGREEMENT_DECLINED', param: 'borrower', description: 'Call the insured.' }],
    outstanding: [
      { code: 'POLICY_NUMBER', param: 'policies[0].policy_number', description: 'Send it.', dueBy: '2026-12-31' },
    ],
    portalUrl: 'https://portal.example/applications/1',
    clientReferenceId: 'deal-7',
    metadata: [{ name: 'desk', value: 'austin' }],
    createdAt: timestampFromDate(new Date('2026-11-20T09:30:00.123Z')),
  });
  return { ...full, ...changes };
}
