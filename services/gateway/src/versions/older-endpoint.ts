import { ServiceError } from '@pfq/kit/errors';
import { JsonObject, readJson } from '../requests/json.ts';
import type { JsonValue } from '../requests/json.ts';
import { writeJson } from '../requests/json-writer.ts';
import type { Answer } from '../routes/answer.ts';
import type { AcceptedRequest, Endpoint } from '../routes/endpoint.ts';
import { changeAt } from './json-tree.ts';
import { swapNotices } from './notices.ts';
import { swapFields, swapParameters, tellOlder } from './renamed-fields.ts';
import type { VersionChange } from './version-change.ts';

/**
 * An endpoint for callers of a version before `changes`, which come oldest first: requests pass up through all of them,
 * answers and refusals down again. So what is recorded under an Idempotency-Key is in the words of that version too.
 */
export function inOlderVersion(endpoint: Endpoint, changes: readonly VersionChange[]): Endpoint {
  if (endpoint.method === 'GET') {
    return {
      ...endpoint,
      read: (request, deps) => answerOlder(changes, async () => endpoint.read(upgradeQuery(changes, request), deps)),
    };
  }
  const name = `${endpoint.method} ${endpoint.path}`;
  return {
    ...endpoint,
    async prepare(request, deps) {
      const write = await refuseOlder(changes, async () => endpoint.prepare(upgradeBody(changes, request, name), deps));
      return { ...write, perform: () => answerOlder(changes, write.perform) };
    },
  };
}

function upgradeQuery(changes: readonly VersionChange[], request: AcceptedRequest): AcceptedRequest {
  const query = changes.reduce((sent, { renamedFields }) => swapParameters(renamedFields, sent), request.query);
  return { ...request, query };
}

function upgradeBody(changes: readonly VersionChange[], request: AcceptedRequest, endpoint: string): AcceptedRequest {
  const upgraded = changes.reduce(
    (body, { renamedFields, upgradeRequest }) =>
      changeAt(swapFields(renamedFields, body), '', (object) => upgradeRequest(object, endpoint)),
    readJson(request.body),
  );
  return { ...request, body: Buffer.from(writeJson(upgraded)) };
}

async function answerOlder(changes: readonly VersionChange[], answer: () => Promise<Answer>): Promise<Answer> {
  const { body, ...rest } = await refuseOlder(changes, answer);
  if (body === null) return { ...rest, body };
  return { ...rest, body: writeJson(changes.reduceRight(downgrade, readJson(Buffer.from(body)))) };
}

/** A public object, or each object of a list, as the version before the change knows it. */
function downgrade(tree: JsonValue, change: VersionChange): JsonValue {
  if (!(tree instanceof JsonObject)) return tree;
  const kind = tree.members.get('object');
  if (kind === 'list') return changeAt(tree, 'data[]', (item) => downgrade(item, change));
  if (kind === 'quote') return change.downgrade.quote(swapNotices(change.renamedFields, tree));
  if (kind === 'application') return change.downgrade.application(tree);
  return kind === 'whoami' ? change.downgrade.whoami(tree) : change.downgrade.coverage_type(tree);
}

/** Whatever the work throws, with its params and hints in the words of the older version. */
async function refuseOlder<T>(changes: readonly VersionChange[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError ? changes.reduceRight(toOlder, error) : error;
  }
}

function toOlder(error: ServiceError, change: VersionChange): ServiceError {
  const { code, retryAfterSeconds, cause } = error;
  const details = error.details.map((detail) => tellOlder(change, detail));
  const { message, param } = tellOlder(change, error);
  // The message of a refused body is that of its first problem, hint included.
  const [first, toldFirst] = [error.details[0]?.message, details[0]?.message];
  return new ServiceError(code, {
    message: first === undefined || toldFirst === undefined ? message : error.message.replace(first, () => toldFirst),
    param,
    details,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause,
  });
}
