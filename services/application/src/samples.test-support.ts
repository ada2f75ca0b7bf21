import { newId } from '@pfq/kit/ids';
import fc from 'fast-check';
import {
  BLOCKING_CODES,
  CARRIER_MATCHES,
  CREATED_VIA,
  DOCUMENT_TYPES,
  SELECTED_BY,
  STATUSES,
} from './domain/application.ts';
import type { Application, IncomingApplication } from './domain/application.ts';

export const CREATED_AT = new Date('2026-11-20T10:00:00.123Z');

export function newApplication(changes: Partial<Application> = {}): Application {
  return {
    id: newId('app_', Date.now()),
    status: 'requires_information',
    createdVia: 'portal',
    quoteId: newId('qte_', Date.now()),
    acceptedOptionId: null,
    pricing: {
      optionId: 'opt_25_10',
      downPaymentRate: 0.25,
      termMonths: 10,
      apr: 0.1575,
      downPayment: '3000.00',
      amountFinanced: '9000.00',
      monthlyPayment: '966.00',
      financeCharge: '660.00',
      totalOfPayments: '9660.00',
      totalCost: '12660.00',
      selectedBy: 'broker',
    },
    insured: { name: 'Lone Star Roofing LLC', line1: null, city: 'Austin', state: 'TX', postalCode: null },
    brokerEmail: 'Ana@Agency.example',
    policies: [
      {
        id: newId('pol_', Date.now()),
        carrierName: 'Test Casualty Company',
        carrierMatch: 'matched',
        total: '12000.00',
        effectiveDate: '2026-12-01',
        expirationDate: '2027-12-01',
        documentType: 'binder',
        policyNumber: null,
      },
    ],
    blocking: [
      {
        code: 'INSURED_ADDRESS_INCOMPLETE',
        param: 'insured.address',
        description: 'Complete the address.',
        dueBy: null,
      },
    ],
    outstanding: [
      {
        code: 'POLICY_NUMBER',
        param: 'policies[0].policy_number',
        description: 'Send the number.',
        dueBy: '2026-12-20',
      },
    ],
    portalUrl: 'https://portal.example/applications/1',
    clientReferenceId: null,
    metadata: [],
    createdAt: CREATED_AT,
    ...changes,
  };
}

/** An application that takes so many bytes as JSON, from 30,000 to 70,000; in a message it takes hardly less. */
export function applicationOf(bytes: number): Application {
  const ids = { id: newId('app_', Date.now()) };
  const withTexts = (length: number, rest: number) => {
    const due = { code: 'POLICY_NUMBER', param: 'x'.repeat(255), description: 'x'.repeat(length), dueBy: null };
    const block = { ...due, code: 'NO_POLICIES' } as const;
    return newApplication({
      ...ids,
      clientReferenceId: 'x'.repeat(rest),
      blocking: Array.from({ length: 50 }, () => block),
      outstanding: Array.from({ length: 50 }, () => due),
    });
  };
  const missing = bytes - Buffer.byteLength(JSON.stringify(withTexts(0, 0)));
  return withTexts(Math.floor(missing / 100), missing % 100);
}

export function newAgencyId(): string {
  return newId('agy_', Date.now());
}

export function incoming(agencyId: string, ...applications: readonly Application[]): readonly IncomingApplication[] {
  return applications.map((application) => ({ agencyId, livemode: true, application }));
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((one) => !one.includes('\0') && one.isWellFormed());
const filled = text.filter((one) => one.trim() !== '');
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const money = fc
  .tuple(fc.constantFrom('', '-'), fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 99 }))
  .map(([sign, dollars, cents]) => `${sign}${dollars}.${String(cents).padStart(2, '0')}`);
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const instant = fc.date({
  min: new Date(0),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const id = (prefix: 'app_' | 'qte_' | 'pol_') => fc.stringMatching(/^[0-9A-Za-z]{22}$/).map((body) => prefix + body);

/** With the prototype of any object, as what comes back has. */
const record = <T>(model: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record<T>(model, { noNullPrototype: true });
const requirement = <Code>(code: fc.Arbitrary<Code>, dueBy: fc.Arbitrary<string | null>) =>
  record({ code, param: orNull(text), description: filled, dueBy });

/** Any application that is fit to be stored. */
export const anyApplication: fc.Arbitrary<Application> = record({
  id: id('app_'),
  status: fc.constantFrom(...STATUSES),
  createdVia: fc.constantFrom(...CREATED_VIA),
  quoteId: orNull(id('qte_')),
  acceptedOptionId: orNull(fc.constantFrom('opt_0_1', 'opt_25_10', 'opt_100_120')),
  pricing: orNull(
    record({
      optionId: orNull(fc.constant('opt_25_10')),
      downPaymentRate: fraction,
      termMonths: fc.integer({ min: 1, max: 120 }),
      apr: fraction,
      downPayment: money,
      amountFinanced: money,
      monthlyPayment: money,
      financeCharge: money,
      totalOfPayments: money,
      totalCost: money,
      selectedBy: fc.constantFrom(...SELECTED_BY),
    }),
  ),
  insured: record({
    name: orNull(text),
    line1: orNull(text),
    city: orNull(text),
    state: orNull(text),
    postalCode: orNull(text),
  }),
  brokerEmail: fc.constantFrom('ana@agency.example', 'Ana@AGENCY.example', 'ben@agency.example', 'İ@ß.example'),
  policies: fc.array(
    record({
      id: id('pol_'),
      carrierName: orNull(text),
      carrierMatch: fc.constantFrom(...CARRIER_MATCHES),
      total: orNull(money),
      effectiveDate: orNull(day),
      expirationDate: orNull(day),
      documentType: orNull(fc.constantFrom(...DOCUMENT_TYPES)),
      policyNumber: orNull(text),
    }),
    { maxLength: 3 },
  ),
  blocking: fc.array(requirement(fc.constantFrom(...BLOCKING_CODES), fc.constant(null)), { maxLength: 3 }),
  outstanding: fc.array(requirement(fc.constantFrom('POLICY_NUMBER', 'A1_B2'), orNull(day)), { maxLength: 3 }),
  portalUrl: fc.webUrl().filter((url) => url.length <= 255),
  clientReferenceId: orNull(text),
  metadata: fc.uniqueArray(
    record({
      name: fc.oneof(fc.constantFrom('__proto__', 'constructor', '2', '1', '$set', 'a.b', '', '_id'), text),
      value: text,
    }),
    { selector: ({ name }) => name, maxLength: 20 },
  ),
  createdAt: instant,
});
