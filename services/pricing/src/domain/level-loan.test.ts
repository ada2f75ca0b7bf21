import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { annualPercentageRate } from './apr.ts';
import { addMonths } from './calendar.ts';
import { toCents } from '@pfq/kit/money';
import { compareAnnualRate, findAnnualPercentageRate, presentValueOfPayments, roundPayment } from './level-loan.ts';

test('a payment on an exact half cent is rounded up: 8,600.00 at 9.63 % for one month is 8,669.015', () => {
  assert.equal(roundPayment({ amountFinanced: 860_000n, term: 1, rateBasisPoints: 963 }), 866_902n);
});

test('half-up can breach a cap: 3,825.00 over 5 at 18 % rounds to 799.77, and a cent less is below it', () => {
  const loan = { amountFinanced: 382_500n, term: 5 };
  assert.equal(roundPayment({ ...loan, rateBasisPoints: 1_800 }), 79_977n);
  assert.ok(compareAnnualRate({ ...loan, payment: 79_977n }, 3_600) > 0);
  assert.ok(compareAnnualRate({ ...loan, payment: 79_976n }, 3_600) < 0);
});

test('a loan whose APR is exactly the rate is neither above nor below it', () => {
  assert.equal(compareAnnualRate({ amountFinanced: 120_000n, payment: 121_800n, term: 1 }, 3_600), 0);
});

test('without interest the payment is an equal share, half-up', () => {
  assert.equal(roundPayment({ amountFinanced: 1_000n, term: 8, rateBasisPoints: 0 }), 125n);
  assert.equal(roundPayment({ amountFinanced: 1_001n, term: 2, rateBasisPoints: 0 }), 501n);
  assert.equal(presentValueOfPayments(10, 0), 10);
});

test('an APR on a half basis point is rounded up, and down by a hair below it that no double can tell', () => {
  // For one month half a basis point a year is a 240,000th of the amount financed.
  const amountFinanced = 240_000n * 10n ** 15n;
  for (let below = 0; below < 100; below += 1) {
    const payment = amountFinanced + BigInt(2 * below + 1) * 10n ** 15n;
    assert.equal(findAnnualPercentageRate({ amountFinanced, payment, term: 1 }, 0), below + 1);
    assert.equal(findAnnualPercentageRate({ amountFinanced, payment: payment - 1n, term: 1 }, 0), below);
  }
});

test('the APR of level monthly payments is what the general function finds', () => {
  const loans = fc.record({
    amountFinanced: fc.bigInt({ min: 10_000n, max: 10n ** 14n }),
    rateBasisPoints: fc.integer({ min: 100, max: 6_000 }),
    term: fc.integer({ min: 1, max: 24 }),
    guess: fc.integer({ min: 0, max: 9_000 }),
  });
  const agree = fc.property(loans, ({ amountFinanced, rateBasisPoints, term, guess }) => {
    const payment = roundPayment({ amountFinanced, term, rateBasisPoints }) + 1n;
    const expected = annualPercentageRate({
      advance: toCents(amountFinanced),
      advanceDate: '2026-12-01',
      payments: Array.from({ length: term }, () => toCents(payment)),
      firstDueDate: addMonths('2026-12-01', 1),
      unitPeriod: { kind: 'months', count: 1 },
    });
    assert.equal(findAnnualPercentageRate({ amountFinanced, payment, term }, guess), expected);
  });
  fc.assert(agree, { numRuns: 500 });
});

test('payments of any size are rounded from the exact value', () => {
  const loans = fc.record({
    amountFinanced: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 10n ** 24n })),
    rateBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    term: fc.integer({ min: 1, max: 24 }),
  });
  const exact = fc.property(loans, ({ amountFinanced, rateBasisPoints, term }) => {
    const payment = roundPayment({ amountFinanced, term, rateBasisPoints });
    // The payment is right where the loan lies between half a cent less and half a cent more a month.
    const doubled = { amountFinanced: amountFinanced * 2n, term };
    assert.ok(compareAnnualRate({ ...doubled, payment: payment * 2n - 1n }, rateBasisPoints * 2) <= 0);
    assert.ok(compareAnnualRate({ ...doubled, payment: payment * 2n + 1n }, rateBasisPoints * 2) > 0);
  });
  fc.assert(exact, { numRuns: 2_000 });
});
