import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMoney, toCents, type Cents } from '@pfq/kit/money';
import { annualPercentageRate, type UnitPeriod } from './apr.ts';

const MONTHLY: UnitPeriod = { kind: 'months', count: 1 };

type Example = {
  readonly advance: string;
  readonly on: string;
  /** Number of payments × amount, in order. */
  readonly payments: readonly (readonly [number, string])[];
  readonly firstDue: string;
  readonly unitPeriod: UnitPeriod;
  readonly basisPoints: number;
};

const REGULATION_Z: readonly Example[] = [
  {
    advance: '5000.00',
    on: '1978-01-10',
    payments: [[24, '230.00']],
    firstDue: '1978-02-10',
    unitPeriod: MONTHLY,
    basisPoints: 969,
  },
  {
    advance: '6000.00',
    on: '1978-02-10',
    payments: [[36, '200.00']],
    firstDue: '1978-04-01',
    unitPeriod: MONTHLY,
    basisPoints: 1182,
  },
  {
    advance: '5000.00',
    on: '1978-02-23',
    payments: [[24, '219.17']],
    firstDue: '1978-03-01',
    unitPeriod: { kind: 'semi-month' },
    basisPoints: 1034,
  },
  {
    advance: '10000.00',
    on: '1978-05-23',
    payments: [[40, '385.00']],
    firstDue: '1978-10-01',
    unitPeriod: { kind: 'months', count: 3 },
    basisPoints: 897,
  },
  {
    advance: '500.00',
    on: '1978-03-20',
    payments: [[30, '17.60']],
    firstDue: '1978-04-21',
    unitPeriod: { kind: 'weeks', count: 1 },
    basisPoints: 1496,
  },
  {
    advance: '5000.00',
    on: '1978-01-10',
    payments: [
      [1, '250.00'],
      [23, '230.00'],
    ],
    firstDue: '1978-02-10',
    unitPeriod: MONTHLY,
    basisPoints: 1008,
  },
  {
    advance: '8000.00',
    on: '1978-01-10',
    payments: [
      [1, '449.36'],
      [18, '465.00'],
      [1, '200.00'],
    ],
    firstDue: '1978-03-01',
    unitPeriod: { kind: 'months', count: 2 },
    basisPoints: 730,
  },
  {
    advance: '1000.00',
    on: '1978-01-03',
    payments: [[1, '1080.00']],
    firstDue: '1978-09-15',
    unitPeriod: MONTHLY,
    basisPoints: 1145,
  },
];
for (const example of REGULATION_Z) {
  const terms = example.payments.map(([count, amount]) => `${count} × ${amount}`).join(', ');
  test(`Regulation Z's example of ${example.advance} repaid by ${terms} is ${example.basisPoints / 100} %`, () => {
    assert.equal(solve(example), example.basisPoints);
  });
}

const SINGLE_PAYMENTS = [
  {
    name: 'six months are two periods a year',
    on: '2026-01-15',
    due: '2026-07-15',
    amount: '1050.00',
    basisPoints: 1000,
  },
  { name: 'month-ends are whole months', on: '2026-08-31', due: '2027-02-28', amount: '1050.00', basisPoints: 1000 },
  {
    name: 'a last day counts back to a last day',
    on: '2026-02-28',
    due: '2026-04-30',
    amount: '1010.00',
    basisPoints: 600,
  },
  {
    name: '73 days are five periods a year',
    on: '2026-01-01',
    due: '2026-03-15',
    amount: '1020.00',
    basisPoints: 1000,
  },
  { name: 'a whole year is one period', on: '2027-03-01', due: '2028-03-01', amount: '1100.00', basisPoints: 1000 },
  { name: 'two years compound yearly', on: '2026-01-15', due: '2028-01-15', amount: '1210.00', basisPoints: 1000 },
  {
    name: 'whole months beyond a year are twelfths',
    on: '2026-01-15',
    due: '2027-07-15',
    amount: '1155.00',
    basisPoints: 1000,
  },
  { name: 'days beyond a year are 365ths', on: '2026-01-01', due: '2027-03-15', amount: '1122.00', basisPoints: 1000 },
];
for (const { name, on, due, amount, basisPoints } of SINGLE_PAYMENTS) {
  test(`a single payment: ${name}`, () => {
    const payments = [[1, amount]] as const;
    assert.equal(solve({ advance: '1000.00', on, payments, firstDue: due, unitPeriod: MONTHLY }), basisPoints);
  });
}

const REGULAR_FIRST_PERIODS = [
  { on: '2026-01-31', firstDue: '2026-02-28' },
  { on: '2026-01-28', firstDue: '2026-02-28' },
  { on: '2026-02-28', firstDue: '2026-03-31' },
  { on: '2026-02-28', firstDue: '2026-03-30' },
  { on: '2026-04-30', firstDue: '2026-05-31' },
  { on: '2028-01-30', firstDue: '2028-02-29' },
];
for (const { on, firstDue } of REGULAR_FIRST_PERIODS) {
  test(`from ${on} to ${firstDue} is one regular month`, () => {
    const loan = { advance: '1000.00', payments: [[12, '90.00']], unitPeriod: MONTHLY } as const;
    assert.equal(solve({ ...loan, on, firstDue }), solve({ ...loan, on: '2026-01-15', firstDue: '2026-02-15' }));
  });
}

test('from a due date on a last day months go back from last day to last day: 03-10 to 04-30 is a month and 21 days', () => {
  const loan = { advance: '1000.00', payments: [[12, '90.00']], unitPeriod: MONTHLY } as const;
  const days21 = solve({ ...loan, on: '2026-01-25', firstDue: '2026-03-15' });
  const days20 = solve({ ...loan, on: '2026-01-26', firstDue: '2026-03-15' });
  assert.equal(solve({ ...loan, on: '2026-03-10', firstDue: '2026-04-30' }), days21);
  assert.notEqual(days20, days21);
});

test('a longer first period lowers the rate, a shorter one raises it', () => {
  const loan = { advance: '1000.00', payments: [[12, '90.00']], unitPeriod: MONTHLY } as const;
  const regular = solve({ ...loan, on: '2026-01-15', firstDue: '2026-02-15' });
  assert.ok(solve({ ...loan, on: '2026-01-14', firstDue: '2026-02-15' }) < regular);
  assert.ok(solve({ ...loan, on: '2026-01-17', firstDue: '2026-02-15' }) > regular);
});

test('flat interest is not an APR: 9.5 % flat on 135,000 over 10 months is 16.92 %', () => {
  const payments = [[10, '14568.75']] as const;
  const loan = { advance: '135000.00', on: '2026-12-01', payments, firstDue: '2027-01-01', unitPeriod: MONTHLY };
  assert.equal(solve(loan), 1692);
});

test('an APR on an exact half basis point is rounded up', () => {
  // 240,000 cents bear one cent in a month: 12 / 240,000 is half a basis point.
  const loan = { advance: '2400.00', on: '2026-01-15', firstDue: '2026-02-15', unitPeriod: MONTHLY };
  assert.equal(solve({ ...loan, payments: [[1, '2400.01']] }), 1);
  assert.equal(solve({ ...loan, advance: '2400.01', payments: [[1, '2400.02']] }), 0);
  assert.equal(solve({ ...loan, payments: [[1, '2400.03']] }), 2);
});

test('payments that add up to the advance have an APR of zero', () => {
  const payments = [[10, '100.00']] as const;
  const loan = { advance: '1000.00', on: '2026-01-15', payments, firstDue: '2026-02-15', unitPeriod: MONTHLY };
  assert.equal(solve(loan), 0);
});

test('a skipped payment is a payment of zero', () => {
  const loan = { advance: '1000.00', on: '2026-01-15', unitPeriod: MONTHLY };
  const skipping = solve({
    ...loan,
    payments: [
      [1, '0.00'],
      [11, '98.00'],
    ],
    firstDue: '2026-02-15',
  });
  assert.equal(skipping, solve({ ...loan, payments: [[11, '98.00']], firstDue: '2026-03-15' }));
});

test('yearly payments count the days before the first whole year in 365ths', () => {
  const unitPeriod: UnitPeriod = { kind: 'months', count: 12 };
  const loan = { advance: '1000.00', payments: [[3, '500.00']], unitPeriod } as const;
  const monthsBefore = solve({ ...loan, on: '2025-10-15', firstDue: '2027-01-15' });
  const daysBefore = solve({ ...loan, on: '2025-10-14', firstDue: '2027-01-15' });
  assert.ok(daysBefore < monthsBefore);
});

const IMPOSSIBLE = [
  { name: 'payments below the advance', advance: 100_000n, payments: [99_999n], firstDue: '2026-02-15' },
  { name: 'no payments', advance: 100_000n, payments: [], firstDue: '2026-02-15' },
  { name: 'no advance', advance: 0n, payments: [1n], firstDue: '2026-02-15' },
  { name: 'a negative payment', advance: 100n, payments: [200n, -1n], firstDue: '2026-02-15' },
  { name: 'a payment on the day of the advance', advance: 100n, payments: [100n], firstDue: '2026-01-15' },
];
for (const { name, advance, payments, firstDue } of IMPOSSIBLE) {
  test(`${name} has no APR`, () => {
    const schedule = { advance: toCents(advance), payments: payments.map(toCents), firstDueDate: firstDue };
    const dated = { ...schedule, advanceDate: '2026-01-15', unitPeriod: MONTHLY };
    assert.throws(() => annualPercentageRate(dated), RangeError);
  });
}

function solve({ advance, on, payments, firstDue, unitPeriod }: Omit<Example, 'basisPoints'>): number {
  return annualPercentageRate({
    advance: money(advance),
    advanceDate: on,
    payments: payments.flatMap(([count, amount]) => Array.from({ length: count }, () => money(amount))),
    firstDueDate: firstDue,
    unitPeriod,
  });
}

function money(text: string): Cents {
  const cents = parseMoney(text);
  assert.ok(cents !== null);
  return cents;
}
