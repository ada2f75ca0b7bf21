import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QUOTES_PER_DAY, REQUESTS_PER_MINUTE } from '@pfq/gateway/domain/rate-limits';
import { MAX_BODY_BYTES } from '@pfq/gateway/routes/body';
import { ENDPOINTS } from '@pfq/gateway/routes/endpoints';
import { DETAIL_CODES } from '@pfq/kit/detail-codes';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import { MAX_JSON_LEVELS } from '@pfq/kit/json';
import { readRows } from './coverage-table.ts';
import type { Row } from './coverage-table.ts';
import { problemOf } from './declared-tests.ts';
import {
  answersOf,
  fieldsBelow,
  fieldsSentTo,
  headersSentTo,
  limitOf,
  nameIn,
  OPERATIONS,
  schemaNamed,
} from './documented-fields.ts';
import type { Field } from './documented-fields.ts';

const ROWS = readRows('coverage*.md');
const SECTIONS = [
  'Endpoints',
  'Headers',
  'Error codes',
  'Detail codes',
  'Limits',
  'Rules',
  'Request fields',
  'Response fields',
];
const OPERATION_LIST = [...OPERATIONS.values()];
/** Schemas of whole answers, each of which has a part of its own. */
const ANSWERS = new Set(
  OPERATION_LIST.flatMap(answersOf).flatMap(({ content }) =>
    content ? [nameIn(content['application/json'].schema.$ref ?? '')] : [],
  ),
);

describe('the tables of the contract', () => {
  it('name for every promise tests that are there and run', () => {
    const problems = ROWS.flatMap(({ at, tests }) =>
      tests.flatMap((test) => {
        const problem = test === null ? 'a test cannot be read' : problemOf(test);
        return problem === null ? [] : [`${at}: ${problem}`];
      }),
    );
    assert.deepEqual(problems, []);
  });

  it('have these sections, and no other', () => {
    assertSame(
      ROWS.map(({ section }) => section),
      SECTIONS,
    );
  });

  it('name every endpoint with its scope', () => {
    const known = ENDPOINTS.map(({ method, path, scope }) => `${method} ${path}: ${scope ?? 'none'}`);
    assertSame(toldIn({ section: 'Endpoints', columns: ['Scope'] }), known);
  });

  it('name every header of a request', () => {
    const known = OPERATION_LIST.flatMap(headersSentTo).map(({ path }) => path);
    assertSame(toldIn({ section: 'Headers', part: 'Requests' }), known);
  });

  it('name every header of an answer', () => {
    const known = OPERATION_LIST.flatMap(answersOf).flatMap(({ headers }) => Object.keys(headers));
    assertSame(toldIn({ section: 'Headers', part: 'Answers' }), known);
  });

  it('name every field of every request, and whether it is required', () => {
    const known = [...OPERATIONS].flatMap(([name, operation]) =>
      fieldsSentTo(operation)
        .filter(isNamed)
        .map(({ path, isRequired }) => `${name} ${path}: ${isRequired ? 'yes' : 'no'}`),
    );
    assertSame(toldIn({ section: 'Request fields', columns: ['Required'], inPart: true }), known);
  });

  it('name every field of every answer, and every word that it may hold', () => {
    const known = [...ANSWERS].flatMap((name) => fieldsBelow(schemaNamed(name)).flatMap(namesOf(name)));
    assertSame(toldIn({ section: 'Response fields', inPart: true }), known);
  });

  it('name every error code with its status and type', () => {
    const known = Object.entries(ERROR_CODES).map(([code, { status, type }]) => `${code}: ${status} ${type}`);
    assertSame(toldIn({ section: 'Error codes', columns: ['Status', 'Type'] }), known);
  });

  it('name every detail code', () => {
    assertSame(toldIn({ section: 'Detail codes' }), Object.keys(DETAIL_CODES));
  });

  it('name every limit', () => {
    const fields = OPERATION_LIST.flatMap((operation) => [...headersSentTo(operation), ...fieldsSentTo(operation)]);
    const daily = Object.entries(QUOTES_PER_DAY).flatMap(([mode, { key, agency }]) => [
      `new quotes of one ${mode} key: ${key} a day`,
      `new quotes of all ${mode} keys of an agency: ${agency} a day`,
    ]);
    const known = [
      `requests of one key: ${REQUESTS_PER_MINUTE} a minute`,
      ...daily,
      `body: ${MAX_BODY_BYTES} bytes`,
      `JSON: ${MAX_JSON_LEVELS} levels`,
      ...fields.flatMap(({ path, schema }) => (limitOf(schema) === null ? [] : [`${path}: ${limitOf(schema)}`])),
    ];
    assertSame(toldIn({ section: 'Limits', columns: ['Limit'] }), known);
  });
});

type Wanted = {
  readonly section: string;
  readonly part?: string;
  /** Columns whose cells belong to what the row tells. */
  readonly columns?: readonly string[];
  /** Whether the heading of the part belongs to it too. */
  readonly inPart?: boolean;
};

/** What the rows of a section tell, a line for each of their keys. */
function toldIn({ section, part, columns = [], inPart = false }: Wanted): readonly string[] {
  const rows = ROWS.filter((row) => row.section === section && (part === undefined || row.part === part));
  return rows.flatMap((row) => row.keys.map((key) => tell(row, { key, columns, inPart })));
}

function tell(
  { part, cells }: Row,
  { key, columns, inPart }: { key: string } & Required<Pick<Wanted, 'columns' | 'inPart'>>,
) {
  const head = inPart ? `${part} ${key}` : key;
  return columns.length === 0 ? head : `${head}: ${columns.map((column) => cells[column]).join(' ')}`;
}

/** Items of a list have no name of their own. */
function isNamed({ path }: Field): boolean {
  return !path.endsWith('[]');
}

/** A field of an answer, and each word that it may hold; the codes of errors have tables of their own. */
function namesOf(answer: string): (field: Field) => readonly string[] {
  return (field) => {
    const words = answer === 'Error' ? [] : (field.schema['x-extensible-enum'] ?? []);
    const names = [...(isNamed(field) ? [field.path] : []), ...words.map((word) => `${field.path}: ${word}`)];
    return names.map((name) => `${answer} ${name}`);
  };
}

function assertSame(told: readonly string[], known: readonly string[]): void {
  const differences = {
    'without a row': known.filter((one) => !told.includes(one)),
    'unknown to the program': told.filter((one) => !known.includes(one)),
  };
  assert.deepEqual(differences, { 'without a row': [], 'unknown to the program': [] });
}
