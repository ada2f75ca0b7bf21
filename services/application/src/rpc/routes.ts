import { tenantOf } from '@pfq/kit/caller';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type { RpcRoutes } from '@pfq/kit/rpc/server';
import { ApplicationAdminService, ApplicationService } from '@pfq/proto/application/v1/application_pb';
import type { ApplicationStore } from '../storage/store.ts';
import { acceptIncoming, upsertIncoming } from './bring-in.ts';
import { listApplications } from './list-applications.ts';
import { toIncomingDraft } from './read-application.ts';

export function applicationRoutes(store: ApplicationStore): RpcRoutes {
  return (router) => {
    router.service(ApplicationService, {
      listApplications: (request, context) => listApplications(store, request, { tenant: tenantOf(context) }),
    });
    router.service(ApplicationAdminService, {
      async checkApplications({ applications }) {
        await acceptIncoming(store, applications.map(toIncomingDraft));
        return {};
      },
      upsertApplications: ({ applications }, context) =>
        upsertIncoming(store, applications.map(toIncomingDraft), { actor: actorOf(context.requestHeader) }),
    });
  };
}
