import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { ServiceError } from '@pfq/kit/errors';
import { newId } from '@pfq/kit/ids';
import { fromWireError } from '@pfq/kit/rpc/status';
import { makeDatabase } from '../../../tests/support/database.ts';
import { failsWith, failureOf } from '../../../tests/support/failures.ts';
import { makeMongo, WITHOUT_MONGO } from '../../../tests/support/mongo.ts';
import { until } from '../../../tests/support/until.ts';
import { AS_OPERATOR, asTenant, startApplication, toIncoming } from './running-application.test-support.ts';
import { applicationOf, newAgencyId, newApplication } from './samples.test-support.ts';

const ROUNDS = 10;
const RECOVERY_MS = 10_000;

const ENGINES = {
  PostgreSQL: { makeDatabase, skip: false },
  MongoDB: { makeDatabase: makeMongo, skip: WITHOUT_MONGO },
};

for (const [engine, { makeDatabase: makeEngineDatabase, skip }] of Object.entries(ENGINES)) {
  describe(`the application service on ${engine}`, { skip }, () => {
    const run = async (t: TestContext) => startApplication(t, (await makeEngineDatabase(t)).url);

    test('gives back what was brought in, page by page', async (t) => {
      const { applications, admin } = await run(t);
      const agencyId = newAgencyId();
      const metadata = ['__proto__', '2', '1', '$a.b'].map((name) => ({ name, value: `"${name}"` }));
      const older = toIncoming(agencyId, newApplication({ metadata, createdAt: new Date(1_700_000_000_001) }));
      const newer = toIncoming(agencyId, newApplication({ pricing: null, createdAt: new Date(1_700_000_000_002) }));
      const counts = await admin.upsertApplications({ applications: [older, newer] }, AS_OPERATOR);
      assert.deepEqual([counts.created, counts.updated, counts.unchanged], [2, 0, 0]);
      const first = await applications.listApplications({ limit: 1 }, asTenant(agencyId));
      assert.deepEqual([first.applications, first.hasMore], [[newer.application], true]);
      const startingAfter = newer.application?.id ?? '';
      const second = await applications.listApplications({ limit: 1, startingAfter }, asTenant(agencyId));
      assert.deepEqual([second.applications, second.hasMore], [[older.application], false]);
    });

    test('shows a broker their own alone, and nothing in test mode', async (t) => {
      const { applications, admin } = await run(t);
      const agencyId = newAgencyId();
      const incoming = toIncoming(agencyId, newApplication({ brokerEmail: 'Ana@Agency.example' }));
      await admin.upsertApplications({ applications: [incoming] }, AS_OPERATOR);
      const count = async (brokerEmail: string | undefined, mode: 'live' | 'test') => {
        const asked = { limit: 20, ...(brokerEmail !== undefined && { brokerEmail }) };
        return (await applications.listApplications(asked, asTenant(agencyId, mode))).applications.length;
      };
      assert.deepEqual(
        await Promise.all([undefined, 'ana@agency.example', 'ben@agency.example'].map((email) => count(email, 'live'))),
        [1, 1, 0],
      );
      assert.equal(await count(undefined, 'test'), 0);
    });

    test('answers every start that is not visible alike', async (t) => {
      const { applications, admin } = await run(t);
      const agencyId = newAgencyId();
      const application = newApplication({ brokerEmail: 'ana@agency.example' });
      await admin.upsertApplications({ applications: [toIncoming(agencyId, application)] }, AS_OPERATOR);
      const startingAfter = application.id;
      const strange = {
        malformed: [{ startingAfter: 'app_1' }, asTenant(agencyId)],
        unspeakable: [{ startingAfter: `${startingAfter.slice(0, -1)}\0` }, asTenant(agencyId)],
        empty: [{ startingAfter: '' }, asTenant(agencyId)],
        unknown: [{ startingAfter: newId('app_', 0) }, asTenant(agencyId)],
        'of another agency': [{ startingAfter }, asTenant(newAgencyId())],
        'of another broker': [{ startingAfter, brokerEmail: 'ben@agency.example' }, asTenant(agencyId)],
        'in test mode': [{ startingAfter }, asTenant(agencyId, 'test')],
      } as const;
      const messages = new Set<string>();
      for (const [what, [asked, tenant]] of Object.entries(strange)) {
        const { code, param, message } = await refusalOf(
          applications.listApplications({ limit: 20, ...asked }, tenant),
        );
        assert.deepEqual([code, param], ['INVALID_PAGINATION', 'starting_after'], what);
        messages.add(message);
      }
      assert.equal(messages.size, 1);
      const own = await applications.listApplications(
        { limit: 20, startingAfter, clientReferenceId: 'deal 1' },
        asTenant(agencyId),
      );
      assert.deepEqual(own.applications, []);
    });

    test("lists nothing for a caller's own id that nothing can carry", async (t) => {
      const { applications, admin } = await run(t);
      const agencyId = newAgencyId();
      const application = newApplication({ clientReferenceId: 'deal 1' });
      await admin.upsertApplications({ applications: [toIncoming(agencyId, application)] }, AS_OPERATOR);
      for (const clientReferenceId of ['deal 1\0', '\0', 'x'.repeat(100_000), '']) {
        const page = await applications.listApplications({ limit: 20, clientReferenceId }, asTenant(agencyId));
        assert.deepEqual([page.applications.length, page.hasMore], [0, false]);
      }
      const startingAfter = newId('app_', 0);
      await failsWith(
        applications.listApplications({ limit: 20, clientReferenceId: '\0', startingAfter }, asTenant(agencyId)),
        { code: 'INVALID_PAGINATION' },
      );
    });

    test('refuses whole what is wrong in any part, by itself or beside what is stored, and stores nothing', async (t) => {
      const { applications, admin } = await run(t);
      const [agencyId, stranger] = [newAgencyId(), newAgencyId()];
      const stored = newApplication();
      await admin.upsertApplications({ applications: [toIncoming(agencyId, stored)] }, AS_OPERATOR);
      const createdAt = create(TimestampSchema, { seconds: 1n, nanos: 1_500_000 });
      const request = {
        applications: [
          toIncoming(agencyId, newApplication()),
          toIncoming(stranger, stored),
          toIncoming(agencyId, newApplication(), { status: 'won', createdAt }),
        ],
      };
      for (const call of [admin.checkApplications, admin.upsertApplications]) {
        const { code, param, details } = await refusalOf(call(request, AS_OPERATOR));
        assert.deepEqual([code, param], ['VALIDATION_FAILED', 'applications[1].id']);
        assert.deepEqual(
          details.map((problem) => problem.param),
          ['applications[1].id', 'applications[2].status', 'applications[2].created_at'],
        );
      }
      const page = await applications.listApplications({ limit: 20 }, asTenant(agencyId));
      assert.deepEqual(
        page.applications.map(({ id }) => id),
        [stored.id],
      );
    });

    test('gives an id that is brought in many times at once to one agency, and refuses the others', async (t) => {
      const { admin } = await run(t);
      const agencies = [newAgencyId(), newAgencyId()];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const application = newApplication();
        const calls = [...agencies, ...agencies].map((agencyId) =>
          admin.upsertApplications({ applications: [toIncoming(agencyId, application)] }, AS_OPERATOR),
        );
        const outcomes = await Promise.allSettled(calls);
        const isStored = outcomes.map(({ status }) => status === 'fulfilled');
        assert.deepEqual([isStored[0], isStored[1]], [isStored[2], isStored[3]]);
        assert.notEqual(isStored[0], isStored[1]);
        const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
        for (const reason of refused) {
          const { code, param } = await refusalOf(Promise.reject(reason));
          assert.deepEqual([code, param], ['VALIDATION_FAILED', 'applications[0].id']);
        }
      }
    });

    test('checks without storing, and only for the operator', async (t) => {
      const { applications, admin } = await run(t);
      const agencyId = newAgencyId();
      const request = { applications: [toIncoming(agencyId, newApplication())] };
      await admin.checkApplications(request, AS_OPERATOR);
      for (const call of [admin.checkApplications, admin.upsertApplications]) {
        await failsWith(call(request, asTenant(agencyId)), { code: 'INVALID_API_KEY' });
      }
      assert.deepEqual((await applications.listApplications({ limit: 20 }, asTenant(agencyId))).applications, []);
    });

    test('answers SERVICE_UNAVAILABLE while its database is away, and goes on afterwards', async (t) => {
      const database = await makeEngineDatabase(t);
      const { applications, admin } = await startApplication(t, database.url);
      const agencyId = newAgencyId();
      await database.refuseConnections();
      await failsWith(applications.listApplications({ limit: 20 }, asTenant(agencyId)), {
        code: 'SERVICE_UNAVAILABLE',
      });
      const request = { applications: [toIncoming(agencyId, newApplication())] };
      await failsWith(admin.upsertApplications(request, AS_OPERATOR), { code: 'SERVICE_UNAVAILABLE' });
      await database.acceptConnections();
      const list = () => applications.listApplications({ limit: 20 }, asTenant(agencyId));
      await until(() => isAnswered(list()), RECOVERY_MS);
      assert.deepEqual((await list()).applications, []);
    });

    test('gives back a page of a hundred applications of the greatest length', async (t) => {
      const { applications, admin } = await run(t);
      const agencyId = newAgencyId();
      const longest = Array.from({ length: 100 }, () => toIncoming(agencyId, applicationOf(65_536)));
      await admin.upsertApplications({ applications: longest }, AS_OPERATOR);
      const page = await applications.listApplications({ limit: 100 }, asTenant(agencyId));
      const sent = longest.flatMap(({ application }) => application ?? []);
      assert.deepEqual(
        page.applications,
        sent.toSorted((one, other) => (one.id < other.id ? 1 : -1)),
      );
    });

    test('starts while its database is away and serves once it is there; where it is to migrate it, its start waits', async (t) => {
      const database = await makeEngineDatabase(t);
      await startApplication(t, database.url);
      await database.refuseConnections();
      const waiting = startApplication(t, database.url);
      const { applications } = await startApplication(t, database.url, { migrateOnStart: false });
      const list = () => applications.listApplications({ limit: 20 }, asTenant(newAgencyId()));
      await failsWith(list(), { code: 'SERVICE_UNAVAILABLE' });
      await database.acceptConnections();
      await until(() => isAnswered(list()), RECOVERY_MS);
      await (await waiting).applications.listApplications({ limit: 20 }, asTenant(newAgencyId()));
    });
  });
}

test('a page of less than 1 or more than 100 applications is INVALID_PAGINATION', async (t) => {
  const { applications } = await startApplication(t, (await makeDatabase(t)).url);
  for (const limit of [0, 101, -1]) {
    await failsWith(applications.listApplications({ limit }, asTenant(newAgencyId())), {
      code: 'INVALID_PAGINATION',
      param: 'limit',
    });
  }
});

async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const failure = fromWireError(await failureOf(call));
  assert.ok(failure instanceof ServiceError);
  return failure;
}

function isAnswered(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}
