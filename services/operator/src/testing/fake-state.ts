import type { HandlerContext } from '@connectrpc/connect';
import { callerOf } from '@pfq/kit/caller';
import type { ErrorDetail, ServiceError } from '@pfq/kit/errors';
import { actorOf } from '@pfq/kit/rpc/operator-credential';
import type * as application from '@pfq/proto/application/v1/application_pb';
import type { AuditEntry } from '@pfq/proto/audit/v1/audit_pb';
import type * as gateway from '@pfq/proto/gateway/v1/admin_pb';
import type { ShowRequestResponse } from '@pfq/proto/gateway/v1/request_admin_pb';
import type * as notification from '@pfq/proto/notification/v1/notification_pb';
import type * as pricing from '@pfq/proto/pricing/v1/admin_pb';
import type { AuditedService } from '../clients.ts';

type Recorded = { readonly method: string; readonly actor: string };

/** What the fake keeps, and what a test may lay down in it beforehand. */
export class FakeState {
  readonly calls: Recorded[] = [];
  /** Of every call. */
  readonly requestIds: string[] = [];
  readonly agencies: gateway.Agency[] = [];
  readonly brokers: gateway.Broker[] = [];
  readonly keys: gateway.Key[] = [];
  readonly rateSheets: string[] = [];
  readonly settings: string[] = ['{\n  "premium_min": "4500.00",\n  "rate_sheet_max_age_days": 7\n}\n'];
  carriers: pricing.DirectoryCarrier[] = [];
  readonly declined = { issuers: new Set<string>(), coverages: new Set<string>() };
  readonly quotes = new Map<string, { json: string; differences: gateway.Difference[] }>();
  readonly applications = new Map<string, application.IncomingApplication>();
  readonly requests = new Map<string, ShowRequestResponse>();
  /** Newest first. */
  readonly audit: Record<AuditedService, AuditEntry[]> = {
    gateway: [],
    pricing: [],
    application: [],
    notification: [],
  };
  /** Newest first. */
  readonly emails: notification.Email[] = [];
  /** What the application service has against applications. */
  findProblems: (applications: readonly application.IncomingApplication[], method: string) => readonly ErrorDetail[] =
    () => [];
  /** Thrown by the next call instead of an answer. */
  refusal: ServiceError | undefined;

  enter(context: HandlerContext): void {
    this.calls.push({ method: context.method.name, actor: actorOf(context.requestHeader) });
    this.requestIds.push(callerOf(context).requestId);
    const { refusal } = this;
    this.refusal = undefined;
    if (refusal) throw refusal;
  }
}
