import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { readJson } from './json.ts';
import { parseQuoteRequest } from './quote-request.ts';
import type { QuoteRequest } from './quote-request.ts';
import { bodyOf, changed, fullRequest, SAMPLE_COVERAGE_TYPES } from './sample-request.ts';
import type { Sendable } from './sample-request.ts';

const FIRST = 'policies[0]';
const LONG = 'x'.repeat(501);
const PAIRS = Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v'] as const);

/** One row per rule: where something is sent (undefined: left out), and the code it gets there, or "read". */
type Row = readonly [path: string, sent: Sendable | undefined, outcome: string, at?: string];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'broker_email is optional text, never blank': [
    ['broker_email', undefined, 'read'],
    ['broker_email', null, 'read'],
    ['broker_email', 'not an address', 'read'],
    ['broker_email', '', 'INVALID_VALUE'],
    ['broker_email', ' \t', 'INVALID_VALUE'],
    ['broker_email', 7, 'INVALID_TYPE'],
    ['broker_email', 'x'.repeat(255), 'read'],
    ['broker_email', 'x'.repeat(256), 'TOO_LONG'],
  ],
  'client_reference_id is optional text and may be empty': [
    ['client_reference_id', undefined, 'read'],
    ['client_reference_id', null, 'read'],
    ['client_reference_id', '', 'read'],
    ['client_reference_id', 7, 'INVALID_TYPE'],
    ['client_reference_id', '😀'.repeat(255), 'read'],
    ['client_reference_id', '😀'.repeat(256), 'TOO_LONG'],
    ['client_reference_id', 'a\0b', 'INVALID_VALUE'],
    ['client_reference_id', '\ud800', 'INVALID_VALUE'],
  ],
  'metadata is up to 20 pairs of strings': [
    ['metadata', undefined, 'read'],
    ['metadata', null, 'read'],
    ['metadata', {}, 'read'],
    ['metadata', Object.fromEntries(PAIRS.slice(1)), 'read'],
    ['metadata', Object.fromEntries(PAIRS), 'TOO_MANY'],
    ['metadata', [], 'INVALID_TYPE'],
    ['metadata', { key: '' }, 'read'],
    ['metadata', { key: 1 }, 'INVALID_TYPE', 'metadata.key'],
    ['metadata', { key: null }, 'INVALID_TYPE', 'metadata.key'],
    ['metadata', { key: 'x'.repeat(500) }, 'read'],
    ['metadata', { key: LONG }, 'TOO_LONG', 'metadata.key'],
    ['metadata', { key: '\0' }, 'INVALID_VALUE', 'metadata.key'],
    ['metadata', { 'odd key': 1 }, 'INVALID_TYPE', 'metadata["odd key"]'],
    ['metadata', { ['k'.repeat(40)]: '' }, 'read'],
    ['metadata', { ['k'.repeat(41)]: '' }, 'TOO_LONG', `metadata["${'k'.repeat(39)}…"]`],
    ['metadata', { 'a\0': '' }, 'INVALID_VALUE', String.raw`metadata["a\u0000"]`],
    ['metadata', { '\udc00': '' }, 'INVALID_VALUE', String.raw`metadata["\udc00"]`],
    [`${FIRST}.metadata`, { key: 1 }, 'INVALID_TYPE', `${FIRST}.metadata.key`],
  ],
  'insured is a required object': [
    ['insured', undefined, 'REQUIRED'],
    ['insured', null, 'INVALID_TYPE'],
    ['insured', [], 'INVALID_TYPE'],
    ['insured.address', undefined, 'REQUIRED'],
    ['insured.address', 'Austin', 'INVALID_TYPE'],
  ],
  'insured.name is required text of 200 characters': [
    ['insured.name', undefined, 'REQUIRED'],
    ['insured.name', null, 'INVALID_TYPE'],
    ['insured.name', '', 'INVALID_VALUE'],
    ['insured.name', 'é'.repeat(200), 'read'],
    ['insured.name', 'é'.repeat(201), 'TOO_LONG'],
  ],
  'insured.dba, line1 and city are optional text of 200 characters, fein and postal_code of 255': [
    ...['dba', 'address.line1', 'address.city'].flatMap((field): Row[] => [
      [`insured.${field}`, undefined, 'read'],
      [`insured.${field}`, ' ', 'read'],
      [`insured.${field}`, 'x'.repeat(201), 'TOO_LONG'],
    ]),
    ...['fein', 'address.postal_code'].flatMap((field): Row[] => [
      [`insured.${field}`, undefined, 'read'],
      [`insured.${field}`, 'not checked', 'read'],
      [`insured.${field}`, 78701, 'INVALID_TYPE'],
      [`insured.${field}`, 'x'.repeat(256), 'TOO_LONG'],
    ]),
  ],
  'insured.address.state is a USPS code, spelled exactly': [
    ...['OK', 'DC', 'PR', 'GU', 'VI', 'AS', 'MP'].map((code): Row => ['insured.address.state', code, 'read']),
    ...['tx', 'Texas', 'XX', '', 'TX ', 'AE'].map((text): Row => ['insured.address.state', text, 'INVALID_FORMAT']),
    ['insured.address.state', undefined, 'REQUIRED'],
    ['insured.address.state', 48, 'INVALID_TYPE'],
    ['insured.address.state', 'T\0', 'INVALID_VALUE'],
  ],
  'policies is a list of 1 to 25': [
    ['policies', undefined, 'REQUIRED'],
    ['policies', {}, 'INVALID_TYPE'],
    ['policies', [], 'TOO_FEW'],
    ['policies', Array.from({ length: 26 }, () => 'not looked at'), 'TOO_MANY'],
    [FIRST, null, 'INVALID_TYPE'],
  ],
  'premium is money above zero': [
    [`${FIRST}.premium`, undefined, 'REQUIRED'],
    [`${FIRST}.premium`, 12000, 'INVALID_TYPE'],
    [`${FIRST}.premium`, 'raw:1e999', 'INVALID_TYPE'],
    ...['12000', '12000.0', '$12000.00', '12,000.00', '+1.00', '.50', '1234567890.00', '1.00\n', '１.00'].map(
      (text): Row => [`${FIRST}.premium`, text, 'INVALID_FORMAT'],
    ),
    [`${FIRST}.premium`, ' ', 'INVALID_VALUE'],
    [`${FIRST}.premium`, '0.00', 'OUT_OF_RANGE'],
    [`${FIRST}.premium`, '-1.00', 'OUT_OF_RANGE'],
    [`${FIRST}.premium`, '0.01', 'read'],
    [`${FIRST}.premium`, '999999999.99', 'read'],
  ],
  'taxes_and_fees is an optional list of amounts of zero or more': [
    [`${FIRST}.taxes_and_fees`, undefined, 'read'],
    [`${FIRST}.taxes_and_fees`, [], 'read'],
    [`${FIRST}.taxes_and_fees`, '250.00', 'INVALID_TYPE'],
    [`${FIRST}.taxes_and_fees[0].amount`, undefined, 'REQUIRED'],
    [`${FIRST}.taxes_and_fees[0].amount`, '0.00', 'read'],
    [`${FIRST}.taxes_and_fees[0].amount`, '-0.01', 'OUT_OF_RANGE'],
    [`${FIRST}.taxes_and_fees[0].amount`, 250, 'INVALID_TYPE'],
    [`${FIRST}.taxes_and_fees[0].description`, 'x'.repeat(500), 'read'],
    [`${FIRST}.taxes_and_fees[0].description`, LONG, 'TOO_LONG'],
    [`${FIRST}.taxes_and_fees[0].earned`, null, 'read'],
    [`${FIRST}.taxes_and_fees[0].earned`, 'true', 'INVALID_TYPE'],
  ],
  'minimum_earned is exactly one of a rate and an amount': [
    [`${FIRST}.minimum_earned`, undefined, 'REQUIRED'],
    [`${FIRST}.minimum_earned`, 0.25, 'INVALID_TYPE'],
    [`${FIRST}.minimum_earned`, {}, 'EXACTLY_ONE_OF'],
    [`${FIRST}.minimum_earned`, { rate: null, amount: null }, 'EXACTLY_ONE_OF'],
    [`${FIRST}.minimum_earned`, { rate: 0.25, amount: '3000.00' }, 'EXACTLY_ONE_OF'],
    [`${FIRST}.minimum_earned`, { rate: 0.25, amount: null }, 'read'],
    [`${FIRST}.minimum_earned`, { amount: '3000.00' }, 'read'],
  ],
  'minimum_earned.rate is a number from 0 to 1, exactly': [
    ...['0', '-0', '1', '1.000', '0.25', '25e-2', '1e-300'].map((text): Row => [
      `${FIRST}.minimum_earned.rate`,
      `raw:${text}`,
      'read',
    ]),
    ...['25', '1.0000000000000000000001', '-0.01', '1e999', '-1e999', '1e-999'].map((text): Row => [
      `${FIRST}.minimum_earned.rate`,
      `raw:${text}`,
      'OUT_OF_RANGE',
    ]),
    [`${FIRST}.minimum_earned.rate`, '0.25', 'INVALID_TYPE'],
    [`${FIRST}.minimum_earned.rate`, true, 'INVALID_TYPE'],
  ],
  'minimum_earned.amount is between zero and the premium': [
    ...(
      [
        ['0.00', 'read'],
        ['12000.00', 'read'],
        ['12000.01', 'OUT_OF_RANGE'],
        ['-0.01', 'OUT_OF_RANGE'],
        ['25%', 'INVALID_FORMAT'],
        ['', 'INVALID_VALUE'],
      ] as const
    ).map(([amount, outcome]): Row => [
      `${FIRST}.minimum_earned`,
      { amount },
      outcome,
      `${FIRST}.minimum_earned.amount`,
    ]),
  ],
  'effective_date and expiration_date are days of the calendar': ['effective_date', 'expiration_date'].flatMap(
    (field) => [
      ...['2028-02-29', '0001-01-01', '9999-12-31', '2000-02-29'].map((day): Row => [`${FIRST}.${field}`, day, 'read']),
      ...['2027-02-29', '1900-02-29', '2027-04-31', '2027-13-01', '2027-00-10', '2027-01-00', '0000-01-01'].map(
        (day): Row => [`${FIRST}.${field}`, day, 'INVALID_FORMAT'],
      ),
      ...['2027-1-1', '01/02/2027', '2027-01-01T00:00:00Z', '2027-01-01 ', '2027-01-01\n', '20270101'].map(
        (day): Row => [`${FIRST}.${field}`, day, 'INVALID_FORMAT'],
      ),
      [`${FIRST}.${field}`, undefined, 'REQUIRED'] as const,
      [`${FIRST}.${field}`, 20270101, 'INVALID_TYPE'] as const,
      [`${FIRST}.${field}`, '', 'INVALID_VALUE'] as const,
    ],
  ),
  'carrier is a name with two optional ids': [
    [`${FIRST}.carrier`, undefined, 'REQUIRED'],
    [`${FIRST}.carrier`, 'Acme', 'INVALID_TYPE'],
    [`${FIRST}.carrier.name`, undefined, 'REQUIRED'],
    [`${FIRST}.carrier.name`, ' ', 'INVALID_VALUE'],
    [`${FIRST}.carrier.name`, 'x'.repeat(201), 'TOO_LONG'],
    [`${FIRST}.carrier.naic_code`, '', 'read'],
    [`${FIRST}.carrier.naic_code`, '1234', 'INVALID_FORMAT'],
    [`${FIRST}.carrier.naic_code`, '１２３４５', 'INVALID_FORMAT'],
    [`${FIRST}.carrier.naic_code`, 12345, 'INVALID_TYPE'],
    [`${FIRST}.carrier.am_best_id`, '', 'read'],
    [`${FIRST}.carrier.am_best_id`, 'x'.repeat(256), 'TOO_LONG'],
  ],
  'coverages is a list of at least one known type': [
    [`${FIRST}.coverages`, undefined, 'REQUIRED'],
    [`${FIRST}.coverages`, [], 'TOO_FEW'],
    [`${FIRST}.coverages[0]`, 'other', 'INVALID_TYPE'],
    [`${FIRST}.coverages[0].type`, undefined, 'REQUIRED'],
    [`${FIRST}.coverages[0].type`, 'windstorms', 'INVALID_VALUE'],
    [`${FIRST}.coverages[0].type`, 'GL', 'INVALID_VALUE'],
    [`${FIRST}.coverages[0].type`, 'constructor', 'INVALID_VALUE'],
    [`${FIRST}.coverages[0].description`, '', 'read'],
    [`${FIRST}.coverages[0].description`, LONG, 'TOO_LONG'],
  ],
  'auditable is optional and true or false': [
    [`${FIRST}.auditable`, undefined, 'read'],
    [`${FIRST}.auditable`, null, 'read'],
    [`${FIRST}.auditable`, 0, 'INVALID_TYPE'],
  ],
  'document_type is optional and one of three': [
    [`${FIRST}.document_type`, undefined, 'read'],
    [`${FIRST}.document_type`, '', 'read'],
    [`${FIRST}.document_type`, 'quote', 'read'],
    [`${FIRST}.document_type`, 'policy', 'read'],
    [`${FIRST}.document_type`, 'Binder', 'INVALID_VALUE'],
    [`${FIRST}.document_type`, 3, 'INVALID_TYPE'],
  ],
  'policy_number is optional text': [
    [`${FIRST}.policy_number`, '', 'read'],
    [`${FIRST}.policy_number`, 'x'.repeat(256), 'TOO_LONG'],
  ],
  'an unknown field is refused at any level': [
    ['polices', [], 'UNKNOWN_FIELD'],
    ['insured.Name', 'x', 'UNKNOWN_FIELD'],
    [`${FIRST}.taxes_and_fees[0].kind`, null, 'UNKNOWN_FIELD'],
    [`${FIRST}.minimum_earned.percent`, 25, 'UNKNOWN_FIELD'],
    [`${FIRST}.toString`, 1, 'UNKNOWN_FIELD'],
    ['first-name', 1, 'UNKNOWN_FIELD', '["first-name"]'],
  ],
};

for (const [promise, rows] of Object.entries(ROWS)) {
  describe(promise, () => {
    for (const [path, sent, outcome, at = path] of rows) {
      const shown = sent === undefined ? 'left out' : JSON.stringify(sent).slice(0, 50);
      it(`${path}: ${shown} → ${outcome}`, () => {
        const found = problemsOf(changed(fullRequest(), path, sent)).map(({ code, param }) => [code, param]);
        assert.deepEqual(found, outcome === 'read' ? [] : [[outcome, at]]);
      });
    }
  });
}

describe('a request that is read', () => {
  it('has its money in cents, its rate as sent, its metadata as pairs', () => {
    assert.deepEqual(parse(fullRequest()), FULL_REQUEST_READ);
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
    const text = bodyOf(fullRequest())
      .toString()
      .replace('{"desk":"austin"}', '{"2":"b","__proto__":"p","1":"","é ":"x"}');
    const read = parseQuoteRequest(readJson(Buffer.from(text)), SAMPLE_COVERAGE_TYPES);
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
    const body = bodyOf(fullRequest()).toString().replace('{', '{"2":0,"b":0,"1":0,"__proto__":0,');
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
    const metadata = { ...Object.fromEntries(PAIRS), k3: 3 };
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
});

function parse(sent: Sendable): QuoteRequest {
  return parseQuoteRequest(readJson(bodyOf(sent)), SAMPLE_COVERAGE_TYPES);
}

/** The refusal of a body, given as JSON text or as what makes one. */
function refusalOf(sent: Sendable): ServiceError {
  try {
    parseQuoteRequest(readJson(typeof sent === 'string' ? Buffer.from(sent) : bodyOf(sent)), SAMPLE_COVERAGE_TYPES);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the body was read' });
}

function problemsOf(sent: Sendable): readonly ErrorDetail[] {
  try {
    parse(sent);
    return [];
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.details;
  }
}

function paramsOf(sent: Sendable): (string | undefined)[] {
  return problemsOf(sent).map(({ param }) => param);
}
