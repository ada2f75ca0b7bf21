import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { openRelay } from '../../../../tests/support/relay.ts';
import { until } from '../../../../tests/support/until.ts';
import { newEmail, openEmails, SECONDS } from '../notification.test-support.ts';
import { whileSending } from './postgres-sending.ts';

const WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe('a link to the database that falls silent', { concurrency: true }, () => {
  it('at the claim holds nobody up for longer than a statement may take', async (t) => {
    const { database, email, relay, url } = await openLink(t);
    const startedMs = await database.transaction(async ({ query }) => {
      await query('LOCK TABLE emails', []);
      const sending = whileSending(url, email, () => Promise.reject(new Error('nothing was claimed')));
      const failed = assert.rejects(sending, /Query read timeout/);
      await until(async () => (await database.read(WAITING, [])).length === 1, SECONDS);
      relay.fallSilent();
      const silentMs = performance.now();
      await failed;
      return silentMs;
    });
    assert.ok(performance.now() - startedMs < 9_000);
  });

  it('while an email is sent keeps nobody afterwards', async (t) => {
    const { email, relay, url } = await openLink(t);
    let silentMs = 0;
    await whileSending(url, email, async () => {
      relay.fallSilent();
      silentMs = performance.now();
    });
    assert.ok(performance.now() - silentMs < 3_000);
  });
});

async function openLink(t: TestContext) {
  const { database, store, url } = await openEmails(t);
  const email = newEmail();
  await store.accept(email);
  const direct = new URL(url);
  const relay = await openRelay({ host: direct.hostname, port: Number(direct.port) });
  t.after(() => relay.close());
  const relayed = new URL(url);
  relayed.host = `127.0.0.1:${relay.port}`;
  return { database, email, relay, url: relayed.href };
}
