import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pricedDeal } from '../priced-deal.test-support.ts';
import { fullRequest, parse } from '../requests/sample-request.test-support.ts';
import type { Sendable } from '../requests/sample-request.test-support.ts';
import { renderPricedMembers, renderQuote, renderRequestMembers } from './quote-object.ts';

function render(request: Sendable, priced = pricedDeal()): string {
  const members = renderRequestMembers({
    request: parse(request),
    priced,
    brokerEmail: 'Ana@Agency.example',
    createdAt: new Date('2026-11-20T23:59:59.123Z'),
    expiresAt: new Date('2026-12-20T23:59:59.123Z'),
    policyIds: ['pol_abcdEFGH'],
  });
  const head = { id: 'qte_1', mode: 'test', status: 'active', hostedUrl: 'https://pay.example/q/t' } as const;
  return renderQuote(head, members, renderPricedMembers(priced));
}

test('an eligible quote has every field of the contract, in its own spelling and type', () => {
  assert.deepEqual(JSON.parse(render(fullRequest())), {
    id: 'qte_1',
    object: 'quote',
    livemode: false,
    status: 'active',
    hosted_url: 'https://pay.example/q/t',
    selected_option_id: null,
    interest: null,
    client_reference_id: 'deal-7',
    metadata: { desk: 'austin' },
    broker: { email: 'Ana@Agency.example' },
    created_at: '2026-11-20T23:59:59.123Z',
    expires_at: '2026-12-20T23:59:59.123Z',
    policies: [
      {
        id: 'pol_abcdEFGH',
        total: '12250.00',
        minimum_earned: { rate: 0.25 },
        carrier: { name: 'Acme Mutual', am_best: { rating: 'A', source: 'am_best' } },
        metadata: { line: 'gl' },
      },
    ],
    totals: {
      premium: '12000.00',
      taxes_and_fees: '250.00',
      total: '12250.00',
      weighted_minimum_earned_rate: 0.25,
      financing_start_date: '2027-01-01',
    },
    eligibility: {
      status: 'eligible',
      checks: [
        { code: 'INPUT_VALID', passed: true },
        { code: 'AM_BEST_MIN', passed: true, limit: 'A-', actual: 'A', basis: 'am_best' },
      ],
      reasons: [],
    },
    assumptions: [
      { code: 'EARNED_ASSUMED', param: 'policies[0].taxes_and_fees[0].earned', message: 'Taken as earned.' },
    ],
    warnings: [],
    binding_readiness: {
      ready: false,
      issues: [{ code: 'QUOTE_ONLY_DOCUMENT', param: 'policies[0].document_type', message: 'Still a quote.' }],
    },
    recommended_option_id: 'opt_25_9',
    options: [
      {
        id: 'opt_25_9',
        down_payment_rate: 0.25,
        term_months: 9,
        apr: 0.1104,
        down_payment: '3062.50',
        amount_financed: '9187.50',
        monthly_payment: '1068.57',
        finance_charge: '429.63',
        total_of_payments: '9617.13',
        total_cost: '12679.63',
        spread_clamped: true,
      },
    ],
  });
});

test('an ineligible quote has reasons, no options, and null for the recommended one', () => {
  const { recommendedOptionId: _, ...priced } = pricedDeal();
  const reason = {
    $typeName: 'pfq.pricing.v1.Notice' as const,
    code: 'PREMIUM_MIN',
    param: 'policies',
    message: 'Too small.',
  };
  const eligibility = {
    $typeName: 'pfq.pricing.v1.Eligibility' as const,
    eligible: false,
    checks: [],
    reasons: [reason],
  };
  const quote: unknown = JSON.parse(render(fullRequest(), { ...priced, eligibility, options: [] }));
  assert.partialDeepStrictEqual(quote, {
    eligibility: {
      status: 'ineligible',
      checks: [],
      reasons: [{ code: 'PREMIUM_MIN', param: 'policies', message: 'Too small.' }],
    },
    recommended_option_id: null,
    options: [],
  });
});

test('what was not sent is null or empty, and nothing else of the request is told', () => {
  const { metadata: _, client_reference_id: __, ...request } = fullRequest();
  const rendered = render(request);
  assert.partialDeepStrictEqual(JSON.parse(rendered), { client_reference_id: null, metadata: {} });
  for (const secret of ['Lone Star', '12-3456789', '78701', 'GL-1', 'Premises']) assert.ok(!rendered.includes(secret));
});

test('a rating that was assumed says so', () => {
  const priced = pricedDeal();
  const policies = priced.policies.map((policy) => ({ ...policy, rating: 'A-', ratingAssumed: true }));
  assert.partialDeepStrictEqual(JSON.parse(render(fullRequest(), { ...priced, policies })), {
    policies: [{ carrier: { am_best: { rating: 'A-', source: 'assumed' } } }],
  });
});

test("the caller's own id comes back as it was sent, whatever its characters", () => {
  const text = fc.string({ unit: 'binary', maxLength: 255 }).filter((sent) => !sent.includes('\0'));
  fc.assert(
    fc.property(text, (sent) => {
      const rendered = render({ ...fullRequest(), client_reference_id: sent });
      assert.partialDeepStrictEqual(JSON.parse(rendered), { client_reference_id: sent });
    }),
  );
});

test('metadata keeps its order and spelling, whatever its names', () => {
  const pairs = [
    ['10', 'ten'],
    ['9', 'nine'],
    ['__proto__', 'polluted'],
    ['', 'no name'],
    ['</script>', '\u2028\u2029'],
    ['\u{1F600}', '"\\/\b\u007f'],
  ];
  const metadata = `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`;
  const request = JSON.stringify(fullRequest())
    .replace('{"desk":"austin"}', metadata)
    .replace('{"line":"gl"}', metadata);
  const rendered = render(request);
  assert.equal(rendered.split(`"metadata":${metadata}`).length, 3, 'once for the quote and once for its policy');
});

test('a fraction of basis points prints with exactly the decimals it has', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (aprBasisPoints) => {
      const priced = pricedDeal();
      const options = priced.options.map((option) => ({ ...option, aprBasisPoints }));
      const expected = `${Math.floor(aprBasisPoints / 10_000)}.${String(aprBasisPoints % 10_000).padStart(4, '0')}`;
      const printed = /"apr":([^,]+)/.exec(renderPricedMembers({ ...priced, options }))?.[1];
      assert.equal(printed, expected.replace(/\.?0+$/, ''));
    }),
  );
});
