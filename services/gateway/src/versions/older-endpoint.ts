import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import { JsonObject, readJson } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';
import { writeJson } from '@pfq/kit/json-writer';
import { validationFailed } from '@pfq/kit/problems';
import { parseBody } from '../requests/body.ts';
import type { Answer } from '../routes/answer.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import { changeAt } from './json-tree.ts';
import type { VersionChange } from './version-change.ts';

type Changes = readonly VersionChange[];

/**
 * An endpoint for callers of a version before `changes`, which come oldest first: requests pass up through all of them,
 * answers and refusals down again. So what is recorded under an Idempotency-Key is in the words of that version too.
 */
export function inOlderVersion(endpoint: Endpoint, changes: Changes): Endpoint {
  const name = `${endpoint.method} ${endpoint.path}`;
  if (endpoint.method === 'GET') {
    return {
      ...endpoint,
      read(request, deps) {
        const query = changes.reduce((sent, change) => change.upgradeQuery(sent, name), request.query);
        return answerOlder(changes, () => endpoint.read({ ...request, query }, deps));
      },
    };
  }
  return {
    ...endpoint,
    async prepare(request, deps) {
      const body = upgradeBody(changes, { sent: request.body, endpoint: name });
      const write = await refuseOlder(changes, () => endpoint.prepare({ ...request, body }, deps));
      return { ...write, perform: () => answerOlder(changes, write.perform) };
    },
  };
}

function upgradeBody(changes: Changes, { sent, endpoint }: { sent: Buffer; endpoint: string }): Buffer {
  const upgraded = changes.reduce(
    (body, { upgradeRequest }) => changeAt(body, '', (object) => upgradeRequest(object, endpoint)),
    parseBody(sent),
  );
  return Buffer.from(writeJson(upgraded));
}

async function answerOlder(changes: Changes, answer: () => Promise<Answer>): Promise<Answer> {
  const { body, ...rest } = await refuseOlder(changes, answer);
  if (body === null) return { ...rest, body };
  return { ...rest, body: writeJson(changes.reduceRight(downgrade, readJson(Buffer.from(body)))) };
}

/** A public object, or each object of a list, as the version before the change knows it. */
function downgrade(tree: JsonValue, change: VersionChange): JsonValue {
  if (!(tree instanceof JsonObject)) return tree;
  const kind = tree.members.get('object');
  if (kind === 'list') return changeAt(tree, 'data[]', (item) => downgrade(item, change));
  if (kind === 'quote' || kind === 'application' || kind === 'whoami') return change.downgrade[kind](tree);
  return change.downgrade.coverage_type(tree);
}

/** Whatever the work throws, in the words of the older version. */
async function refuseOlder<T>(changes: Changes, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? toOlder(error, changes) : error;
  }
}

function toOlder(error: ServiceError, changes: Changes): ServiceError {
  const tell = (problem: ErrorDetail) => changes.reduceRight((told, change) => change.downgradeProblem(told), problem);
  const { code, param, message, details, retryAfterSeconds, cause } = error;
  if (details.length > 0) return validationFailed(details.map(tell));
  const told = tell({ code, message, ...(param !== undefined && { param }) });
  return new ServiceError(code, {
    message: told.message,
    param: told.param,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause,
  });
}
