import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from './endpoints.ts';
import { matchEndpoint } from './match.ts';
import { splitTarget, toOriginForm } from './target.ts';

function match(method: string, target: string): string {
  const found = matchEndpoint(ENDPOINTS, { method, path: splitTarget(toOriginForm(target)).path });
  if (found.kind === 'endpoint') return `${found.endpoint.method} ${found.endpoint.path} ${JSON.stringify(found.path)}`;
  return found.kind === 'other_method' ? `405 ${found.route} ${found.allow}` : '404';
}

const CREATE = 'POST /v1/quotes {}';
const GET_ABC = 'GET /v1/quotes/{id} {"id":"abc"}';

const CASES: readonly (readonly [method: string, target: string, outcome: string])[] = [
  ['POST', '/v1/quotes', CREATE],
  ['POST', '/v1/quotes?x=1', CREATE],
  ['POST', '/v1/quotes?', CREATE],
  ['POST', 'http://any.example/v1/quotes?x=/y', CREATE],
  ['GET', '/v1/quotes/abc', GET_ABC],
  ['HEAD', '/v1/quotes/abc', GET_ABC],
  ['GET', '/v1/quotes/%61bc', GET_ABC],
  ['GET', '/v1/quotes/..%2f', 'GET /v1/quotes/{id} {"id":"../"}'],
  ['GET', '/v1/quotes/%00', 'GET /v1/quotes/{id} {"id":"\\u0000"}'],
  ['GET', '/v1/quotes', '405 /v1/quotes POST'],
  ['HEAD', '/v1/quotes', '405 /v1/quotes POST'],
  ['OPTIONS', '/v1/quotes', '405 /v1/quotes POST'],
  ['TRACE', '/v1/quotes', '405 /v1/quotes POST'],
  ['POST', '/v1/quotes/abc', '405 /v1/quotes/{id} GET, HEAD'],
  ['DELETE', '/v1/quotes/abc', '405 /v1/quotes/{id} GET, HEAD'],
  ['GET', '/v1', '404'],
  ['GET', '/v1/', '404'],
  ['POST', '/v1/quotes/', '404'],
  ['GET', '/v1/quotes/', '404'],
  ['GET', '/v1/quotes/abc/', '404'],
  ['GET', '/v1/quotes/abc/x', '404'],
  ['POST', '/V1/quotes', '404'],
  ['POST', '/v1/Quotes', '404'],
  ['POST', '/v1/%71uotes', '404'],
  ['POST', '//v1/quotes', '404'],
  ['POST', '/v1//quotes', '404'],
  ['POST', '/v1/quotes#x', '404'],
  ['GET', '/v1/quotes/%zz', '404'],
  ['GET', '/v1/quotes/%ff', '404'],
  ['GET', '/v1/constructor', '404'],
  ['OPTIONS', '*', '404'],
];
for (const [method, target, outcome] of CASES) {
  test(`${method} ${target}: ${outcome}`, () => assert.equal(match(method, target), outcome));
}
