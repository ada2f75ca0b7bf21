import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createClient, createRouterTransport } from '@connectrpc/connect';
import type { Interceptor } from '@connectrpc/connect';
import { AuditAdminService } from '@pfq/proto/audit/v1/audit_pb';
import { auditRoutes } from './audit.ts';
import type { AuditEntry, AuditQuery } from './audit.ts';
import { toWireError } from './rpc/status.ts';

const AT = new Date('2026-11-20T09:30:00.123Z');

function entryOf(number: number): AuditEntry {
  const details = { live_enabled: true, scopes: ['quotes:read'] };
  return { id: String(number), at: AT, actor: 'Zoë', action: 'agency.switch', target: 'agy_1', details };
}

/** Errors as our server sends them. */
const asOnTheWire: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    throw toWireError(error);
  }
};

/** The service over a log of so many changes. */
function serve(changes: number) {
  const asked: AuditQuery[] = [];
  const list = async (query: AuditQuery) => {
    asked.push(query);
    return Array.from({ length: Math.min(changes, query.limit) }, (_, index) => entryOf(changes - index));
  };
  const transport = createRouterTransport(auditRoutes({ list }), { router: { interceptors: [asOnTheWire] } });
  return { asked, audit: createClient(AuditAdminService, transport) };
}

test('a change is told with everything that is kept of it', async () => {
  const { entries, hasMore } = await serve(1).audit.listEntries({});
  const [{ at, ...entry } = {}] = entries.map(({ $typeName: _typeName, ...rest }) => rest);
  assert.deepEqual([at && timestampDate(at), hasMore], [AT, false]);
  assert.deepEqual(entry, {
    entryId: '1',
    actor: 'Zoë',
    action: 'agency.switch',
    target: 'agy_1',
    detailsJson: '{"live_enabled":true,"scopes":["quotes:read"]}',
  });
});

test('what is asked for reaches the log, and nothing asks for everything', async () => {
  const { asked, audit } = serve(0);
  const before = new Date('2026-11-21T00:00:00Z');
  const times = { since: timestampFromDate(AT), before: timestampFromDate(before) };
  await audit.listEntries({ limit: 3, target: 'agy_1', actor: 'dana', ...times });
  await audit.listEntries({});
  assert.deepEqual(asked, [
    { limit: 4, target: 'agy_1', actor: 'dana', since: AT, before },
    { limit: 101, target: '', actor: '', since: null, before: null },
  ]);
});

for (const { limit, changes, told, hasMore } of [
  { limit: 0, changes: 100, told: 100, hasMore: false },
  { limit: 0, changes: 101, told: 100, hasMore: true },
  { limit: 2, changes: 3, told: 2, hasMore: true },
  { limit: 1_000, changes: 1_001, told: 1_000, hasMore: true },
]) {
  test(`of ${changes} changes and a limit of ${limit}, ${told} are told${hasMore ? ', and that there are more' : ''}`, async () => {
    const answer = await serve(changes).audit.listEntries({ limit });
    assert.deepEqual([answer.entries.length, answer.hasMore], [told, hasMore]);
    assert.equal(answer.entries[0]?.entryId, String(changes));
  });
}

test('more than a thousand cannot be asked for', async () => {
  const { asked, audit } = serve(0);
  await assert.rejects(audit.listEntries({ limit: 1_001 }), /limit must be at most 1000\./);
  assert.deepEqual(asked, []);
});
