import type { HandlerContext } from '@connectrpc/connect';

/** Live and test data never meet. */
export type Mode = 'live' | 'test';

/** Whose data a call may touch. Every statement on tenant data names both. */
export type Tenant = { readonly agencyId: string; readonly mode: Mode };

/** On whose behalf a call is made; travels with it in the metadata. `tenant` is absent on the operator's calls. */
export type Caller = {
  readonly requestId: string;
  readonly traceparent?: string | undefined;
  readonly tenant?: Tenant;
};

const REQUEST_ID = 'pfq-request-id';
const AGENCY_ID = 'pfq-agency-id';
const MODE = 'pfq-mode';
const TRACEPARENT = 'traceparent';

/** W3C Trace Context, version 00, which is the only one there is. */
const TRACEPARENT_VALUE = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A traceparent that somebody else sent, if it is one: anything else is not handed on. */
export function readTraceparent(text: string): string | undefined {
  return TRACEPARENT_VALUE.test(text) ? text : undefined;
}

/** The metadata of a call, as plain members: one is made for every call. */
export function callerHeaders({ requestId, traceparent, tenant }: Caller): Record<string, string> {
  return {
    [REQUEST_ID]: requestId,
    ...(traceparent !== undefined && { [TRACEPARENT]: traceparent }),
    ...(tenant && { [AGENCY_ID]: tenant.agencyId, [MODE]: tenant.mode }),
  };
}

/** The tenant of a call that must have one; a call without is a bug of the calling service. */
export function tenantOf(context: HandlerContext): Tenant {
  const agencyId = context.requestHeader.get(AGENCY_ID);
  const mode = context.requestHeader.get(MODE);
  if (!agencyId || (mode !== 'live' && mode !== 'test')) {
    throw new Error(`${context.method.name} was called without agency and mode`);
  }
  return { agencyId, mode };
}

export function callerOf(context: HandlerContext): Caller {
  const requestId = context.requestHeader.get(REQUEST_ID) ?? '';
  return { requestId, traceparent: context.requestHeader.get(TRACEPARENT) ?? undefined };
}
