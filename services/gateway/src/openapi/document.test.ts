import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import { violationsOf } from '../../../../tests/support/strict-schemas.ts';
import { ENDPOINTS } from '../routes/endpoints.ts';
import { openApiDocument } from './document.ts';
import type { MediaType, Operation, Response } from './document-types.ts';
import { OPERATIONS } from './operations.ts';

const DOCUMENT = openApiDocument({ serverUrl: 'https://quotes.example', docsUrl: 'https://docs.example' });
const RESERVED = new Set(['IDEMPOTENCY_KEY_REQUIRED', 'METHOD_NOT_ALLOWED']);

const operations = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

describe('the document and the endpoints', () => {
  test('name the same methods, paths and scopes', () => {
    const documented = operations.map(
      ({ method, path, operation }) => `${method} ${path} ${scopesOf(operation).join()}`,
    );
    const served = ENDPOINTS.map(({ method, path, scope }) => `${method} ${path} ${scope ?? ''}`);
    assert.deepEqual(documented.sort(), served.sort());
  });

  test('are described once each, and nothing else is', () => {
    assert.deepEqual(Object.keys(OPERATIONS).sort(), ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
    assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
  });

  test('take a body, a key and a path value alike', () => {
    for (const { method, path, operation } of operations) {
      const refs = operation.parameters.flatMap((parameter) => ('$ref' in parameter ? [nameIn(parameter.$ref)] : []));
      const isWrite = method === 'POST';
      assert.equal(operation.requestBody !== undefined, isWrite, path);
      assert.deepEqual(refs, [
        ...(path.includes('{id}') ? ['QuoteId'] : []),
        'ServiceVersion',
        ...(isWrite ? ['IdempotencyKey'] : []),
      ]);
    }
  });
});

describe('errors', () => {
  test('are each answered by some operation, under their own status, but for the reserved ones', () => {
    const answered = operations.flatMap(({ operation }) => codesOf(operation));
    const expected = Object.entries(ERROR_CODES).filter(([code]) => !RESERVED.has(code));
    assert.deepEqual(new Set(answered.map(([, code]) => code)), new Set(expected.map(([code]) => code)));
    for (const [code, { status }] of expected) {
      assert.deepEqual(
        new Set(answered.filter(([, one]) => one === code).map(([at]) => at)),
        new Set([String(status)]),
      );
    }
  });

  const only: Readonly<Record<string, readonly string[]>> = {
    TEST_MODE_ONLY: ['expressTestInterest'],
    QUOTE_ALREADY_INTERESTED: ['expressTestInterest'],
    QUOTE_EXPIRED: ['expressTestInterest', 'issueHostedLink'],
    BROKER_NOT_ACTIVE: ['createQuote'],
    INVALID_PAGINATION: ['listApplications'],
    NOT_FOUND: ['expressTestInterest', 'getQuote', 'issueHostedLink'],
    IDEMPOTENCY_KEY_REUSED: ['createQuote', 'expressTestInterest', 'issueHostedLink'],
    VALIDATION_FAILED: ['createQuote', 'expressTestInterest', 'issueHostedLink', 'listApplications'],
  };
  for (const [code, expected] of Object.entries(only)) {
    test(`of code ${code} come from ${expected.join(', ')} alone`, () => {
      const able = operations.filter(({ operation }) => codesOf(operation).some(([, one]) => one === code));
      assert.deepEqual(able.map(({ operation }) => operation.operationId).sort(), expected);
    });
  }

  test('of the coverage types are those that any key can get', () => {
    const operation = DOCUMENT.paths['/v1/coverage-types']?.get;
    assert.deepEqual(operation && codesOf(operation).map(([, code]) => code), [
      'INVALID_API_VERSION',
      'INVALID_API_KEY',
      'KEY_REVOKED',
      'KEY_EXPIRED',
      'API_ACCESS_NOT_ENABLED',
      'TEST_MODE_NOT_ENABLED',
      'RATE_LIMITED',
      'INTERNAL',
      'SERVICE_UNAVAILABLE',
    ]);
  });
});

describe('examples', () => {
  for (const { operation } of operations) {
    test(`of ${operation.operationId} are as its schemas say`, () => {
      const answers = Object.values(operation.responses).flatMap((given) => resolve(given).content ?? []);
      for (const content of [...answers, ...(operation.requestBody ? [operation.requestBody.content] : [])]) {
        assert.deepEqual(violationsIn(content['application/json']), []);
      }
    });
  }

  test('link to the documentation that was given', () => {
    const text = JSON.stringify(DOCUMENT);
    const links = [...text.matchAll(/"doc_url":"([^"]*)"/g)].map(([, link = '']) => link);
    assert.ok(links.length > 0 && links.every((link) => link.startsWith('https://docs.example/errors#')));
    assert.ok(!text.includes('"message":""'), 'every error says something');
  });
});

test('the addresses are those that were given', () => {
  assert.equal(DOCUMENT.servers[0]?.url, 'https://quotes.example');
  assert.equal(DOCUMENT.externalDocs.url, 'https://docs.example');
});

function violationsIn({ schema, examples }: MediaType): readonly string[] {
  return Object.entries(examples).flatMap(([name, { value }]) => violationsOf(schema, value, name));
}

function scopesOf({ security }: Operation): readonly string[] {
  return security.flatMap((requirement) => Object.values(requirement).flat());
}

/** Status and code of every error that an operation can answer. */
function codesOf({ responses }: Operation): readonly (readonly [status: string, code: string])[] {
  return Object.entries(responses).flatMap(([status, given]) =>
    Number(status) < 400
      ? []
      : Object.keys(resolve(given).content?.['application/json'].examples ?? {}).map((code) => [status, code] as const),
  );
}

function resolve(given: Operation['responses'][string]): Response {
  const response = '$ref' in given ? DOCUMENT.components.responses[nameIn(given.$ref)] : given;
  assert.ok(response);
  return response;
}

function nameIn(reference: string): string {
  return reference.replace(/^.*\//, '');
}
