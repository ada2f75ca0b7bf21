import type { AuditEntry, AuditQuery, AuditSource } from '@pfq/kit/audit';
import { OPERATION_LIMIT } from '@pfq/kit/mongo';
import type { MongoDatabase } from '@pfq/kit/mongo';
import type { Document } from 'mongodb';

/** Who changed an application, how and when; kept with the application, because what is written to two is not written together. */
export type Change = {
  readonly at: Date;
  readonly actor: string;
  /** Absent from what was written before it was kept. */
  readonly action?: 'application.create' | 'application.update';
};

/** An application with one of its changes. */
type ChangedApplication = {
  readonly _id: string;
  readonly agencyId: string;
  readonly change: Change;
  /** Its place among those that are kept, which tells changes of one millisecond apart. */
  readonly place: number;
};

const LONG_AGO = new Date(0);

/** The changes of every application, of which each keeps its newest hundred. */
export function mongoAuditLog(database: MongoDatabase): AuditSource {
  return {
    async list(query) {
      const found = await database.read((db) =>
        db.collection('applications').aggregate<ChangedApplication>(pipelineOf(query), OPERATION_LIMIT).toArray(),
      );
      return found.map(toEntry);
    },
  };
}

/** By the index by_change. Who looks for one target or one actor reads past what others did since. */
function pipelineOf({ limit, since, before, target, actor }: AuditQuery): Document[] {
  const at = { $gte: since ?? LONG_AGO };
  const newest = [{ $sort: { 'changes.at': -1 } }, { $limit: limit }];
  return [
    { $match: { 'changes.at': at, ...(target !== '' && { $or: [{ _id: target }, { agencyId: target }] }) } },
    // The newest changes are those of the applications that changed last, unless some of their changes are not asked for.
    ...(before === null && actor === '' ? newest : []),
    { $unwind: { path: '$changes', includeArrayIndex: 'place' } },
    { $match: { 'changes.at': { ...at, ...(before && { $lt: before }) }, ...(actor && { 'changes.actor': actor }) } },
    { $sort: { 'changes.at': -1, _id: -1, place: -1 } },
    { $limit: limit },
    { $project: { agencyId: 1, change: '$changes', place: 1 } },
  ];
}

function toEntry({
  _id: target,
  agencyId,
  change: { at, actor, action = 'application.update' },
  place,
}: ChangedApplication): AuditEntry {
  return { id: `${at.toISOString()} ${target} ${place}`, at, actor, action, target, details: { agency_id: agencyId } };
}
