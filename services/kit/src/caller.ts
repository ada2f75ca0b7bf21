import type { HandlerContext } from '@connectrpc/connect';

/** Live and test data never meet. */
export type Mode = 'live' | 'test';

/** Whose data a call may touch. Every statement on tenant data names both. */
export type Tenant = { readonly agencyId: string; readonly mode: Mode };

/** On whose behalf a call is made; travels with it in the metadata. `tenant` is absent on the operator's calls. */
export type Caller = { readonly requestId: string; readonly tenant?: Tenant };

export const REQUEST_ID = 'pfq-request-id';
const AGENCY_ID = 'pfq-agency-id';
const MODE = 'pfq-mode';

/** The metadata of a call, as plain members: one is made for every call. */
export function callerHeaders({ requestId, tenant }: Caller): Record<string, string> {
  return { [REQUEST_ID]: requestId, ...(tenant && { [AGENCY_ID]: tenant.agencyId, [MODE]: tenant.mode }) };
}

/** The tenant of a call that must have one; a call without is a bug of the calling service. */
export function tenantOf(context: HandlerContext): Tenant {
  const { tenant } = callerOf(context);
  if (!tenant) throw new Error(`${context.method.name} was called without agency and mode`);
  return tenant;
}

/** Who calls. The server gives a request id to a call that came without one, as the operator's command sends them. */
export function callerOf({ requestHeader }: Pick<HandlerContext, 'requestHeader'>): Caller {
  const requestId = requestHeader.get(REQUEST_ID) ?? '';
  const agencyId = requestHeader.get(AGENCY_ID);
  const mode = requestHeader.get(MODE);
  if (!agencyId || (mode !== 'live' && mode !== 'test')) return { requestId };
  return { requestId, tenant: { agencyId, mode } };
}
