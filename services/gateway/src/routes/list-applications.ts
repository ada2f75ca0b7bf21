import { callerHeaders } from '@pfq/kit/caller';
import { ServiceError } from '@pfq/kit/errors';
import { failureOfRead } from '@pfq/kit/rpc/status';
import { renderApplicationList } from '../applications/application-object.ts';
import { defaultBrokerOf } from '../domain/access.ts';
import { parseListQuery } from '../requests/list-query.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, EndpointDeps } from './endpoint.ts';

const READ_TIMEOUT_MS = 5_000;

/** `GET /v1/applications`: a page of those that the key can see, newest first. There are none in test mode. */
export async function listApplications(accepted: AcceptedRequest, { applications }: EndpointDeps): Promise<Answer> {
  const { access, caller, query, remainingMs } = accepted;
  const { limit, startingAfter, clientReferenceId } = parseListQuery(query);
  const { email } = defaultBrokerOf(access);
  if (access.mode === 'test') {
    if (startingAfter !== null) throw invisibleCursor();
    return { status: 200, body: renderApplicationList([], false) };
  }
  const wanted = {
    limit,
    ...(access.type === 'broker' && { brokerEmail: email }),
    ...(startingAfter !== null && { startingAfter }),
    ...(clientReferenceId !== null && { clientReferenceId }),
  };
  const call = { headers: callerHeaders(caller), timeoutMs: Math.min(READ_TIMEOUT_MS, remainingMs()) };
  const page = await applications.listApplications(wanted, call).catch(refuse);
  return { status: 200, body: renderApplicationList(page.applications, page.hasMore) };
}

function refuse(error: unknown): never {
  const failure = failureOfRead(error, ['INVALID_PAGINATION']);
  throw failure.code === 'INVALID_PAGINATION' ? invisibleCursor() : failure;
}

/** Told in the same words of an id that is malformed, not known, or not visible to the key. */
function invisibleCursor(): ServiceError {
  return new ServiceError('INVALID_PAGINATION', {
    message:
      'starting_after is not the id of an application that this API key can see. Send the next_cursor of a page.',
    param: 'starting_after',
  });
}
