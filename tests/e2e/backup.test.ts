import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withMongo } from '@pfq/kit/mongo';
import { choosePorts } from '@pfq/local/ports';
import type { Ports } from '@pfq/local/ports';
import { seedDemo } from '@pfq/local/seed';
import type { Demo } from '@pfq/local/seed';
import { addressesOf } from '@pfq/local/services';
import PostalMime from 'postal-mime';
import { apiOf, quoteOf } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { openPage, respond } from '../support/insured.ts';
import { WITHOUT_POSTGRES_PROGRAMS } from '../support/installed-postgres.ts';
import { liftLimits } from '../support/limits.ts';
import { pfqOf } from '../support/pfq.ts';
import { startSmtp } from '../support/smtp.ts';
import type { ScriptedSmtp } from '../support/smtp.ts';
import { reservePorts, stackFolder } from '../support/stack.ts';
import { until } from '../support/until.ts';
import { makeSystem } from './restorable-system.ts';
import type { RestorableSystem } from './restorable-system.ts';

const SECONDS = 15_000;
const MONGO = process.env['MONGODB_URL'];
const KEYED = { 'Idempotency-Key': 'made before the back-up' };
const DEALS = ['roofing-contractor', 'twenty-five-policies', 'out-of-state'] as const;

/** What callers, insureds and operators can see, read again after it was restored. */
type Seen = Readonly<Record<string, string>>;

describe('a back-up, restored to empty servers', { skip: WITHOUT_POSTGRES_PROGRAMS }, () => {
  const { folder, remove } = stackFolder();
  const files = path.join(folder, 'files');
  const systems: RestorableSystem[] = [];
  const mongoUrls: string[] = [];
  let ports: Ports;
  let release: () => void;
  let smtp: ScriptedSmtp;
  let demo: Demo;

  before(async () => {
    mkdirSync(folder, { recursive: true });
    smtp = await startSmtp();
    const reserved = await reservePorts();
    release = reserved.release;
    ports = { ...choosePorts({ PFQ_PORT_BASE: String(reserved.base) }), smtp: smtp.port };
  });
  after(async () => {
    for (const { stop } of systems) await stop();
    for (const url of mongoUrls) await withMongo(url, (db) => db.dropDatabase());
    await smtp.stop();
    release();
    remove();
  });

  async function makeNext(name: string): Promise<RestorableSystem> {
    const mongoUrl = MONGO ? new URL(`/backup_${process.pid}_${name}`, MONGO).href : null;
    if (mongoUrl !== null) mongoUrls.push(mongoUrl);
    const system = await makeSystem({ folder: path.join(folder, name), ports, mongoUrl });
    systems.push(system);
    return system;
  }
  const gatewayUrl = () => addressesOf(ports).gateway;
  const api = (mode: 'live' | 'test') => apiOf(gatewayUrl(), demo.keys[mode]);

  async function lookAt(quotes: readonly Made[], { operator }: RestorableSystem): Promise<Seen> {
    const pfq = pfqOf({ file: { operator }, folder });
    const seen: Record<string, string> = {};
    for (const { id, mode, hostedUrl } of quotes) {
      seen[`quote ${id}`] = seenOf(await api(mode).get(id));
      seen[`page of ${id}`] = titleOf(await openPage(hostedUrl));
      const verified = await pfq(['quote', 'verify', id]);
      seen[`price of ${id}`] = `${verified.code} ${verified.output}`;
    }
    seen['a replay'] = seenOf(await api('test').post(exampleBody('roofing-contractor'), KEYED));
    seen['applications'] = seenOf(await api('live').ask('GET', '/v1/applications?limit=100'));
    seen['the audit log'] = (await pfq(['audit', 'list'])).output;
    return seen;
  }

  it('gives back quotes, links, prices, keys, answers, applications and the audit log as they were', async () => {
    const old = await makeNext('old');
    await old.makeDatabases();
    await old.migrate();
    await old.startServices();
    demo = await seedDemo({ folder, operator: old.operator });
    await liftLimits({ file: { postgres_url: old.postgresUrl } });
    await api('test').post(exampleBody('roofing-contractor'), KEYED);
    const made: Made[] = [];
    for (const mode of ['test', 'live'] as const) {
      for (const deal of DEALS) made.push(madeOf(mode, await api(mode).post(exampleBody(deal))));
    }
    // An email that cannot be sent yet is a job in a database like everything else.
    await smtp.goAway();
    const waiting = made.find(({ mode, optionId }) => mode === 'live' && optionId !== null);
    assert.ok(waiting);
    assert.equal((await respond(waiting.hostedUrl, waiting.optionId ?? '')).status, 303);
    await until(async () => (await countMailJobs(old)) === 1, SECONDS);
    const seen = await lookAt(made, old);
    const rights = await old.rights();
    await old.runJob('back-up', files);
    await old.stop();

    const restored = await makeNext('restored');
    await restored.makeDatabases({ without: ['notification_service'] });
    await assert.rejects(
      restored.runJob('restore', files),
      /the file of notification names a role that the new server does not have: create notification_service first/,
    );
    await restored.makeRole('notification_service');
    await restored.runJob('restore', files);
    assert.deepEqual((await restored.rights()).filter(isOfTables), []);
    await restored.migrate();
    assert.deepEqual(await restored.rights(), rights);
    await restored.startServices();
    assert.deepEqual(await lookAt(made, restored), seen);
    assert.equal((await api('live').post(exampleBody('roofing-contractor'))).status, 201);
    await smtp.comeBack();
    const isSent = async () => /"status":"sent"/.test((await api('live').get(waiting.id)).text);
    await until(isSent, 4 * SECONDS);
    const mails = await Promise.all(smtp.received.map(({ raw }) => PostalMime.parse(raw)));
    assert.deepEqual(
      mails.map(({ text }) => text?.includes(waiting.id)),
      [true],
    );
  });

  it('is not put into a database that has something, and changes nothing there', async () => {
    const restored = systems.at(-1);
    assert.ok(restored);
    await assert.rejects(restored.runJob('restore', files), /the database of pricing is not empty: it has \d+ tables/);
    assert.equal((await api('live').ask('GET', '/v1/whoami')).status, 200);
  });

  it('is not made of a server whose certificate nobody vouches for', async () => {
    const [, restored] = systems;
    assert.ok(restored);
    const [elsewhere, authorities] = [path.join(folder, 'elsewhere'), path.join(folder, 'old')];
    await assert.rejects(restored.runJob('back-up', elsewhere, authorities), /certificate verify failed/);
    assert.deepEqual(
      readdirSync(elsewhere).filter((file) => file.endsWith('.dump')),
      [],
    );
  });
});

type Made = {
  readonly id: string;
  readonly mode: 'live' | 'test';
  readonly hostedUrl: string;
  readonly optionId: string | null;
};

function madeOf(mode: Made['mode'], answer: Answer): Made {
  const { id, hosted_url, recommended_option_id } = quoteOf(answer);
  return { id, mode, hostedUrl: hosted_url ?? '', optionId: recommended_option_id };
}

function seenOf({ status, headers, text }: Answer): string {
  return `${status} ${headers.get('Idempotent-Replayed') ?? ''} ${text}`;
}

/** Forms of a page hold what is drawn anew each time. */
function titleOf({ status, text }: { readonly status: number; readonly text: string }): string {
  return `${status} ${text.replaceAll(/<form.*?<\/form>/gs, '')}`;
}

function isOfTables(given: string): boolean {
  return given.includes(': relation ');
}

async function countMailJobs({ operator }: RestorableSystem): Promise<number> {
  const { output } = await pfqOf({ file: { operator }, folder: '/' })(['mail', 'list']);
  return JSON.parse(output).data.length;
}
