import type { Tenant } from '@pfq/kit/caller';
import { flawIn } from '@pfq/kit/texts';
import type { ListApplicationsRequest } from '@pfq/proto/application/v1/application_pb';
import { EMPTY_PAGE, invisibleCursor, requireCursor, requireLimit } from '../domain/page.ts';
import type { ApplicationStore } from '../storage/store.ts';
import { toMessage } from './write-application.ts';

export async function listApplications(
  store: ApplicationStore,
  request: ListApplicationsRequest,
  { tenant }: { tenant: Tenant },
) {
  const { limit, startingAfter, brokerEmail, clientReferenceId: sent } = request;
  requireLimit(limit);
  if (startingAfter !== undefined) requireCursor(startingAfter);
  // Nothing carries what cannot be kept, and PostgreSQL cannot even be asked for it.
  const canBeCarried = sent === undefined || flawIn(sent) === null;
  const clientReferenceId = canBeCarried ? sent : undefined;
  const page = await store.list({ tenant, brokerEmail, startingAfter, clientReferenceId, limit });
  if (page === null) throw invisibleCursor();
  const { applications, hasMore } = canBeCarried ? page : EMPTY_PAGE;
  return { applications: applications.map(toMessage), hasMore };
}
