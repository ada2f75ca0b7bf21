import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../tests/support/until.ts';
import type { Application } from '../domain/application.ts';
import { incoming, newAgencyId, newApplication } from '../samples.test-support.ts';
import { allChanges } from './scene.test-support.ts';
import type { MakeScene, Scene } from './scene.test-support.ts';

/** What is promised of who changed what, whatever the engine. */
export function testAudit(makeScene: MakeScene): void {
  test('every change of an application says who made it, when, what it was and of which agency', async (t) => {
    const { store, audit } = await makeScene(t);
    const agencyId = newAgencyId();
    const application = newApplication();
    const startedMs = Date.now();
    await store.upsert(incoming(agencyId, application), 'dana');
    await store.upsert(incoming(agencyId, application), 'eli');
    await untilLater();
    await store.upsert(incoming(agencyId, { ...application, status: 'active' }), 'mail intake');
    const found = await audit.list(allChanges());
    assert.deepEqual(
      found.map(({ id: _id, at: _at, ...rest }) => rest),
      [
        said({ actor: 'mail intake', action: 'application.update' }),
        said({ actor: 'dana', action: 'application.create' }),
      ],
    );
    assert.ok(found.every(({ at }) => at.getTime() >= startedMs - 1 && at.getTime() <= Date.now() + 1));
    assert.equal(new Set(found.map(({ id }) => id)).size, 2);

    function said(words: { actor: string; action: string }) {
      return { ...words, target: application.id, details: { agency_id: agencyId } };
    }
  });

  test('changes are found by target, agency, actor and time, and no more than are asked for', async (t) => {
    const scene = await makeScene(t);
    const [one, other] = [newAgencyId(), newAgencyId()];
    const first = newApplication();
    const second = newApplication();
    await change(scene, { agencyId: one, application: first, actor: 'dana' });
    await change(scene, { agencyId: other, application: second, actor: 'eli' });
    await change(scene, { agencyId: one, application: { ...first, status: 'active' }, actor: 'eli' });
    const [newest, middle, oldest] = await scene.audit.list(allChanges());
    assert.ok(newest && middle && oldest);
    const asked = [
      [{ target: first.id }, [newest, oldest]],
      [{ target: other }, [middle]],
      [{ target: one, actor: 'dana' }, [oldest]],
      [{ actor: 'eli' }, [newest, middle]],
      [{ limit: 1, actor: 'dana' }, [oldest]],
      [{ limit: 2 }, [newest, middle]],
      [{ limit: 1, target: second.id }, [middle]],
      [{ since: middle.at }, [newest, middle]],
      [{ before: middle.at }, [oldest]],
      [{ since: middle.at, before: newest.at }, [middle]],
      [{ limit: 1, before: newest.at }, [middle]],
      [{ since: new Date(newest.at.getTime() + 1) }, []],
      [{ actor: 'nobody' }, []],
    ] as const;
    for (const [query, expected] of asked) {
      assert.deepEqual(await scene.audit.list(allChanges(query)), expected, JSON.stringify(query));
    }
  });
}

type NewChange = { readonly agencyId: string; readonly application: Application; readonly actor: string };

async function change({ store }: Scene, { agencyId, application, actor }: NewChange): Promise<void> {
  await store.upsert(incoming(agencyId, application), actor);
  await untilLater();
}

/** Times are told to the millisecond. */
async function untilLater(): Promise<void> {
  const startedMs = Date.now();
  await until(() => Date.now() > startedMs + 1, 1_000);
}
