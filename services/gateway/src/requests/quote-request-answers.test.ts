import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changed, fullRequest, parse, problemsOf, refusalOf } from './sample-request.test-support.ts';
import type { Sendable } from './sample-request.test-support.ts';

const FIRST = 'policies[0]';

describe('a request that is read', () => {
  it('has its money in cents, its rate as sent, its metadata as pairs', () => {
    assert.deepEqual(parse(fullRequest()), {
      ...fullRequest(),
      metadata: [['desk', 'austin']],
      policies: [
        {
          premium: 1_200_000n,
          taxes_and_fees: [{ amount: 25_000n, description: 'Policy fee', earned: false }],
          minimum_earned: { kind: 'rate', value: '0.25' },
          effective_date: '2027-01-01',
          expiration_date: '2028-01-01',
          carrier: { name: 'Acme Mutual', naic_code: '12345', am_best_id: '000123' },
          coverages: [{ type: 'general_liability', description: 'Premises' }],
          auditable: false,
          document_type: 'binder',
          policy_number: 'GL-1',
          metadata: [['line', 'gl']],
        },
      ],
    });
  });

  it('has null for what was absent, null, or an empty code', () => {
    const sparse = {
      insured: { name: 'A', dba: null, address: { state: 'TX' } },
      policies: [
        {
          premium: '1.00',
          minimum_earned: { amount: '0.50' },
          effective_date: '2027-01-01',
          expiration_date: '2028-01-01',
          carrier: { name: 'B', naic_code: '' },
          coverages: [{ type: 'other' }],
          document_type: '',
          policy_number: '',
        },
      ],
    };
    const read = parse(sparse);
    assert.deepEqual([read.broker_email, read.client_reference_id, read.metadata], [null, null, null]);
    assert.deepEqual(read.insured.address, { line1: null, city: null, state: 'TX', postal_code: null });
    assert.deepEqual(read.policies[0], {
      premium: 100n,
      taxes_and_fees: null,
      minimum_earned: { kind: 'amount', value: 50n },
      effective_date: '2027-01-01',
      expiration_date: '2028-01-01',
      carrier: { name: 'B', naic_code: null, am_best_id: null },
      coverages: [{ type: 'other', description: null }],
      auditable: null,
      document_type: null,
      policy_number: '',
      metadata: null,
    });
  });

  it('keeps metadata in the order and spelling sent', () => {
    const text = JSON.stringify(fullRequest()).replace(
      '{"desk":"austin"}',
      '{"2":"b","__proto__":"p","1":"","é ":"x"}',
    );
    const read = parse(text);
    assert.deepEqual(read.metadata, [
      ['2', 'b'],
      ['__proto__', 'p'],
      ['1', ''],
      ['é ', 'x'],
    ]);
  });

  it('keeps every digit of a rate', () => {
    const [policy] = parse(
      changed(fullRequest(), `${FIRST}.minimum_earned.rate`, 'raw:0.2500000000000000000010'),
    ).policies;
    assert.deepEqual(policy?.minimum_earned, { kind: 'rate', value: '0.250000000000000000001' });
  });
});

describe('a request with several problems', () => {
  it('gets ten details for ten faults, in schema order, unknown fields last in their object', () => {
    let body = fullRequest();
    const faults: readonly (readonly [path: string, sent: Sendable | undefined])[] = [
      ['colour', 'red'],
      [`${FIRST}.premum`, '1.00'],
      [`${FIRST}.document_type`, 'binders'],
      [`${FIRST}.coverages[0].type`, 'windstrom'],
      [`${FIRST}.carrier.name`, ''],
      [`${FIRST}.expiration_date`, '2027-02-30'],
      [`${FIRST}.minimum_earned`, { rate: 25, amount: '1.00' }],
      [`${FIRST}.premium`, 12000],
      ['insured.address.state', 'texas'],
    ];
    for (const [path, sent] of faults) body = changed(body, path, sent);
    assert.deepEqual(
      problemsOf(body).map(({ code, param }) => `${code} ${param}`),
      [
        'INVALID_FORMAT insured.address.state',
        'INVALID_TYPE policies[0].premium',
        'EXACTLY_ONE_OF policies[0].minimum_earned',
        'OUT_OF_RANGE policies[0].minimum_earned.rate',
        'INVALID_FORMAT policies[0].expiration_date',
        'INVALID_VALUE policies[0].carrier.name',
        'INVALID_VALUE policies[0].coverages[0].type',
        'INVALID_VALUE policies[0].document_type',
        'UNKNOWN_FIELD policies[0].premum',
        'UNKNOWN_FIELD colour',
      ],
    );
  });

  it('has the param and message of the first at the top', () => {
    const { code, param, message, details } = refusalOf({});
    assert.deepEqual([code, param, message], ['VALIDATION_FAILED', 'insured', 'insured is required.']);
    assert.deepEqual(
      details.map((detail) => detail.param),
      ['insured', 'policies'],
    );
  });

  it('lists unknown fields in the order sent', () => {
    const body = JSON.stringify(fullRequest()).replace('{', '{"2":0,"b":0,"1":0,"__proto__":0,');
    const { details } = refusalOf(body);
    assert.deepEqual(
      details.map(({ param }) => param),
      ['["2"]', 'b', '["1"]', '__proto__'],
    );
  });

  it('checks an amount against zero alone where the premium itself was refused', () => {
    const body = changed(fullRequest(), `${FIRST}.premium`, '0');
    assert.deepEqual(paramsOf(changed(body, `${FIRST}.minimum_earned`, { amount: '5.00' })), [`${FIRST}.premium`]);
    assert.deepEqual(paramsOf(changed(body, `${FIRST}.minimum_earned`, { amount: '-5.00' })), [
      `${FIRST}.premium`,
      `${FIRST}.minimum_earned.amount`,
    ]);
  });

  it('gets one detail only where there are more than 25 policies, whatever else is wrong', () => {
    const policies = Array.from({ length: 26 }, () => ({}));
    assert.deepEqual(refusalOf({ policies, colour: 'red', broker_email: '' }).details, [
      { code: 'TOO_MANY', param: 'policies', message: 'policies must have at most 25 items; 26 were sent.' },
    ]);
  });

  it('reports too many pairs of metadata beside the pairs that are wrong', () => {
    const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, index === 3 ? 3 : 'v']));
    assert.deepEqual(paramsOf(changed(fullRequest(), 'metadata', metadata)), ['metadata', 'metadata.k3']);
  });

  for (const body of ['[]', '"text"', '7', 'null', 'true']) {
    it(`gets one INVALID_TYPE without param where the body is ${body}`, () => {
      const { param, details } = refusalOf(body);
      assert.equal(param, undefined);
      assert.deepEqual(
        details.map(({ code }) => code),
        ['INVALID_TYPE'],
      );
      assert.ok(!details.some((detail) => 'param' in detail));
    });
  }
});

describe('a message', () => {
  const messages: readonly (readonly [path: string, sent: Sendable, message: string])[] = [
    ['premium', 1200.5, 'must be a string with two decimals, such as "1200.50"; a number was sent.'],
    ['premium', 1200.123, 'must be a string with two decimals, such as "1200.00"; a number was sent.'],
    ['premium', '$1,250', 'must be a string with two decimals, such as "1250.00"; "$1,250" was sent.'],
    ['premium', '0.00', 'must be at least "0.01"; "0.00" was sent.'],
    ['minimum_earned.rate', 25, 'must be a fraction from 0 to 1; 25 was sent. For 25 % send 0.25.'],
    ['minimum_earned.rate', 12.5, 'must be a fraction from 0 to 1; 12.5 was sent. For 12.5 % send 0.125.'],
    ['minimum_earned.rate', 250, 'must be a fraction from 0 to 1; 250 was sent.'],
    [
      'minimum_earned.rate',
      '0.25',
      'must be a number, such as 0.25 for 25 %; a string was sent. Send 0.25, without quotes.',
    ],
    [
      'minimum_earned.rate',
      '25%',
      'must be a number, such as 0.25 for 25 %; a string was sent. Send 0.25, without quotes.',
    ],
    ['effective_date', '2027-02-30', 'must be a date that exists; "2027-02-30" does not.'],
    ['effective_date', '2/3/27', 'must be a date as YYYY-MM-DD; "2/3/27" was sent.'],
    ['premum', 1, 'is not a known field. Did you mean "premium"?'],
    ['colour', 1, 'is not a known field.'],
    [
      'document_type',
      'bindr',
      'must be one of "quote", "binder" and "policy"; "bindr" was sent. Did you mean "binder"?',
    ],
    ['policy_number', 7, 'must be a string; a number was sent.'],
    ['auditable', 'yes', 'must be true or false, without quotes; a string was sent.'],
  ];
  for (const [path, sent, message] of messages) {
    it(`says of ${path} ${JSON.stringify(sent)}: ${message}`, () => {
      assert.equal(refusalOf(changed(fullRequest(), `${FIRST}.${path}`, sent)).message, `${FIRST}.${path} ${message}`);
    });
  }

  const states: readonly (readonly [sent: string, named: string])[] = [
    ['texas', '"TX"'],
    ['New York', '"NY"'],
    ['DISTRICT OF COLUMBIA', '"DC"'],
    ['U.S. Virgin Islands', '"VI"'],
    ['tx', '"TX"'],
    ['Bavaria', 'such as "TX"'],
  ];
  for (const [sent, named] of states) {
    it(`names the code to send for the state ${sent}`, () => {
      const { message } = refusalOf(changed(fullRequest(), 'insured.address.state', sent));
      assert.equal(message, `insured.address.state must be a two-letter USPS code, ${named}; "${sent}" was sent.`);
    });
  }

  it('never repeats more than 40 characters of what was sent', () => {
    const huge = 'q'.repeat(100_000);
    for (const path of ['premium', 'effective_date', 'document_type', 'carrier.naic_code', huge]) {
      const [problem] = problemsOf(changed(fullRequest(), `${FIRST}.${path}`, huge));
      assert.ok(JSON.stringify(problem).length < 300, path.slice(0, 20));
    }
    const digits = changed(fullRequest(), `${FIRST}.minimum_earned.rate`, `raw:${'9'.repeat(300)}`);
    assert.ok(refusalOf(digits).message.length < 200);
  });

  it('lists the first 1,000 problems of a body that holds nothing else, and says so', () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`u${index}`, 1]));
    const body = { ...fullRequest(), ...unknown };
    assert.equal(problemsOf(body).length, 1_000);
    assert.match(refusalOf(body).message, /Only the first 1000 problems are listed\.$/);
  });

  it('tells of too many policies before anything else, however much else is wrong', () => {
    const unknown = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`u${index}`, 1]));
    const policies = Array.from({ length: 26 }, () => ({}));
    assert.deepEqual(
      problemsOf({ ...unknown, policies }).map(({ code, param }) => [code, param]),
      [['TOO_MANY', 'policies']],
    );
  });
});

function paramsOf(sent: Sendable): (string | undefined)[] {
  return problemsOf(sent).map(({ param }) => param);
}
