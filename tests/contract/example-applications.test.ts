import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMoney, sumCents } from '@pfq/kit/money';
import type { Cents } from '@pfq/kit/money';
import { annualPercentageRate } from '@pfq/pricing/domain/apr';
import { exampleApplications } from '../support/example-applications.ts';
import type { ExampleApplication } from '../support/example-applications.ts';

const SENT: ReadonlySet<string> = new Set(['awaiting_signature', 'pending_activation', 'active']);
const ALL = exampleApplications();

describe('the example applications', () => {
  it('are 200 of every status, origin and requirement that the contract names, of several brokers, newest first', () => {
    const tally = (values: readonly string[]) => [...new Set(values)].sort().join(' ');
    assert.equal(ALL.length, 200);
    assert.equal(new Set(ALL.map(({ id }) => id)).size, 200);
    assert.equal(
      tally(ALL.map(({ status }) => status)),
      'active awaiting_signature canceled pending_activation processing ready_for_agreement requires_information',
    );
    assert.equal(tally(ALL.map(({ created_via }) => created_via)), 'api email portal');
    assert.equal(
      tally(ALL.flatMap(({ requirements }) => requirements.blocking.map(({ code }) => code))),
      'AGREEMENT_DECLINED BROKER_REVIEW_REQUIRED CARRIER_UNMATCHED INSURED_ADDRESS_INCOMPLETE NO_POLICIES',
    );
    assert.equal(new Set(ALL.map(({ broker }) => broker.email)).size, 2);
    const times = ALL.map(({ created_at }) => created_at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.ok(new Set(times).size < times.length - 20, 'some were created at the same instant');
  });

  it('have terms that agree to the cent and an annual percentage rate that is solved from them', () => {
    const priced = ALL.flatMap(({ pricing, policies }) => (pricing ? [{ pricing, policies }] : []));
    assert.ok(priced.length > 100 && priced.length < ALL.length);
    for (const { pricing, policies } of priced) {
      const [down, financed, monthly] = [pricing.down_payment, pricing.amount_financed, pricing.monthly_payment].map(
        cents,
      );
      assert.ok(down !== undefined && financed !== undefined && monthly !== undefined);
      const payments = Array<Cents>(pricing.term_months).fill(monthly);
      assert.equal(down + financed, sumCents(policies.map(({ total }) => cents(total ?? ''))));
      assert.equal(cents(pricing.total_of_payments), sumCents(payments));
      assert.equal(cents(pricing.finance_charge), sumCents(payments) - financed);
      assert.equal(cents(pricing.total_cost), down + sumCents(payments));
      const due = {
        advanceDate: '2026-12-01',
        firstDueDate: '2027-01-01',
        unitPeriod: { kind: 'months', count: 1 },
      } as const;
      assert.equal(annualPercentageRate({ advance: financed, payments, ...due }), Math.round(pricing.apr * 10_000));
      const percent = pricing.down_payment_rate * 100;
      assert.equal(pricing.option_id, Number.isInteger(percent) ? `opt_${percent}_${pricing.term_months}` : null);
    }
    assert.ok(priced.some(({ pricing }) => pricing.option_id === null));
  });

  it('wait for nothing once the agreement is sent, for something that holds where information is required, and owe by a day once active', () => {
    for (const { status, requirements, insured, policies } of ALL) {
      const holding = requirements.blocking.filter(({ code }) => !/^(INSURED_ADDRESS|CARRIER)/.test(code));
      if (SENT.has(status)) assert.deepEqual(requirements.blocking, []);
      if (status === 'requires_information') assert.equal(holding.length, 1);
      if (status === 'processing' || status === 'ready_for_agreement') assert.deepEqual(holding, []);
      assert.ok(requirements.outstanding.every(({ due_by }) => (due_by !== null) === (status === 'active')));
      assert.ok(insured.address.state === 'TX' || hasCode(requirements, 'INSURED_ADDRESS_INCOMPLETE'));
      const unmatched = policies.filter(({ carrier }) => carrier.match === 'pending');
      assert.equal(unmatched.length, requirements.blocking.filter(({ code }) => code === 'CARRIER_UNMATCHED').length);
    }
  });
});

function cents(money: string): Cents {
  return parseMoney(money) ?? assert.fail(`${money} is no money`);
}

function hasCode({ blocking }: ExampleApplication['requirements'], wanted: string): boolean {
  return blocking.some(({ code }) => code === wanted);
}
