import type { Header, Operation, PathItem, Ref, Response } from '@pfq/gateway/openapi/document-types';
import { DOCUMENT, violationsOf } from './strict-schemas.ts';

/** A request that was answered. `target` is path and query; `sent` the body, empty for none, absent where nobody knows it. */
export type Exchanged = {
  readonly method: string;
  readonly target: string;
  readonly sent?: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

const { components, paths } = DOCUMENT;

/** Headers of HTTP itself, which a document of the API does not list. */
const TRANSPORT = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']);
/** Errors that say when to come back. */
const PASSING = new Set(['IDEMPOTENCY_REQUEST_IN_PROGRESS', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']);
/** An unknown path or method is refused before anything else is looked at: as this endpoint refuses that needs least. */
const PLAIN = '/v1/coverage-types';

/**
 * Throws where an exchange is at odds with the OpenAPI document: an undocumented status, code, header or member, a value
 * of another form, or an accepted body that the document forbids. Enumerations and objects that may grow are taken as they
 * are today. Only paths under /v1 are described.
 */
export function requireDocumented(exchanged: Exchanged): void {
  const { method, target, status } = exchanged;
  const path = target.replace(/\?.*/s, '');
  if (!path.startsWith('/v1/')) return;
  const { name, responses, operation } = lookUp(method, path);
  const given = responses[status];
  const violations =
    given === undefined
      ? [`the status is not documented, only ${Object.keys(responses).join(', ')}`]
      : [...answerViolations(exchanged, resolve(given)), ...(status < 300 ? refusedBody(exchanged, operation) : [])];
  if (violations.length === 0) return;
  throw new Error(
    [`${name}: ${status} to ${method} ${target} breaks the OpenAPI document`, ...violations].join('\n  '),
  );
}

type Described = {
  readonly name: string;
  readonly responses: Operation['responses'];
  readonly operation?: Operation | undefined;
};

/** What the document says of a method and a path, known or not. */
function lookUp(method: string, path: string): Described {
  const found = Object.entries(paths).find(([template]) => fits(template, path));
  const operation = found && operationOf(found[1], method);
  if (operation) return { name: operation.operationId, responses: operation.responses, operation };
  const { 200: _answer, 400: _version, ...refusals } = paths[PLAIN]?.get?.responses ?? {};
  const [status, response] = found ? [405, 'MethodNotAllowed'] : [404, 'NotFound'];
  const responses = { ...refusals, [status]: { $ref: `#/components/responses/${response}` } };
  return { name: found ? 'another method' : 'an unknown path', responses };
}

function fits(template: string, path: string): boolean {
  const wanted = template.split('/');
  const sent = path.split('/');
  const isFit = (part: string, given = '') => (part.startsWith('{') ? given !== '' : given === part);
  return wanted.length === sent.length && wanted.every((part, index) => isFit(part, sent[index]));
}

function operationOf({ get, post }: PathItem, method: string): Operation | undefined {
  if (method === 'GET' || method === 'HEAD') return get;
  return method === 'POST' ? post : undefined;
}

function answerViolations(exchanged: Exchanged, response: Response): readonly string[] {
  return [...headerViolations(exchanged.headers, response), ...bodyViolations(exchanged, response)];
}

function headerViolations(sent: Headers, { headers }: Response): readonly string[] {
  const documented = new Map(Object.entries(headers).map(([name, ref]) => [name.toLowerCase(), headerAt(ref)]));
  const unknown = [...sent.keys()].filter((name) => !TRANSPORT.has(name) && !documented.has(name));
  const wrong = [...documented].flatMap(([name, { required, schema }]) => {
    const value = sent.get(name);
    if (value === null) return required ? [`the header ${name} is missing`] : [];
    return violationsOf(schema, schema.type === 'integer' ? Number(value) : value, `header ${name}`);
  });
  return [...unknown.map((name) => `the header ${name} is not documented`), ...wrong];
}

function bodyViolations({ method, status, headers, text }: Exchanged, { content }: Response): readonly string[] {
  if (content === undefined || method === 'HEAD') return text === '' ? [] : ['there is a body'];
  if (headers.get('content-type') !== 'application/json') return ['the content type is not application/json'];
  const { schema, examples } = content['application/json'];
  const body: unknown = JSON.parse(text);
  const violations = violationsOf(schema, body, 'body');
  return status < 400 || violations.length > 0 ? violations : codeViolations({ headers, text }, examples);
}

/** The examples of an error are named by the codes that it can carry. */
function codeViolations({ headers, text }: Pick<Exchanged, 'headers' | 'text'>, examples: object): readonly string[] {
  const { error }: { error: { code: string; type: string; request_id: string } } = JSON.parse(text);
  const example: { error: { type: string } } | undefined = new Map(Object.entries(examples)).get(error.code)?.value;
  if (!example) return [`the code ${error.code} is not documented, only ${Object.keys(examples).join(', ')}`];
  const isPassing = PASSING.has(error.code);
  return [
    ...(error.type === example.error.type ? [] : [`${error.code} has the type ${error.type}`]),
    ...(headers.has('retry-after') === isPassing ? [] : ['Retry-After comes exactly with what passes by itself']),
    ...(error.request_id === headers.get('request-id') || headers.has('idempotent-replayed')
      ? []
      : ['request_id is not the Request-Id']),
  ];
}

/** A body that was accepted although the document forbids it. */
function refusedBody({ sent }: Exchanged, operation: Operation | undefined): readonly string[] {
  const body = operation?.requestBody;
  if (body === undefined || sent === undefined) return [];
  if (sent === '') return body.required ? ['a request without a body was accepted'] : [];
  return violationsOf(body.content['application/json'].schema, JSON.parse(sent), 'accepted body');
}

function headerAt({ $ref }: Ref): Header {
  const header = components.headers[$ref.replace('#/components/headers/', '')];
  if (header === undefined) throw new Error(`${$ref} leads nowhere`);
  return header;
}

function resolve(given: Response | Ref): Response {
  if (!('$ref' in given)) return given;
  const response = components.responses[given.$ref.replace('#/components/responses/', '')];
  if (response === undefined) throw new Error(`${given.$ref} leads nowhere`);
  return response;
}
