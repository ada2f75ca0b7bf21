import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createServiceDatabases } from '@pfq/local/databases';
import { startPostgres } from '@pfq/local/embedded-postgres';
import type { Postgres } from '@pfq/local/embedded-postgres';
import { answers } from '@pfq/local/http-health';
import { choosePorts, findFreePort, PORT_NAMES } from '@pfq/local/ports';
import type { Ports } from '@pfq/local/ports';
import { serviceProcess } from '@pfq/local/service-process';
import type { Service } from '@pfq/local/service-process';
import { addressesOf, DATABASES, operatorAccess, servicesOf } from '@pfq/local/services';
import type { Running } from '@pfq/local/supervisor';
import { apiOf, quoteOf } from '../support/api.ts';
import { mailsAbout } from '../support/caught-mail.ts';
import { makeAuthority } from '../support/certificates.ts';
import { exampleBody } from '../support/examples.ts';
import { respond } from '../support/insured.ts';
import { pfqOf } from '../support/pfq.ts';
import { until } from '../support/until.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SECONDS = 15_000;
const OWNER = 'avery.stone@agency.example';
const SECRETS = {
  operatorToken: 'operator-token-of-services-that-speak-tls',
  keyPepper: 'key-pepper-of-services-that-speak-tls-0123456',
  answerSecret: 'answer-secret-of-services-that-speak-tls-0123',
  reviewSecret: 'review-secret-of-services-that-speak-tls-0123',
};

describe('with certificates on both sides of every call', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-mutual-tls-'));
  const authority = makeAuthority('ours');
  const running: Running[] = [];
  let postgres: Postgres | undefined;
  let ports: Ports;

  before(async () => {
    ports = await freePorts();
    postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), port: ports.postgres, log: () => {} });
    const { url } = postgres;
    await createServiceDatabases(postgres, DATABASES);
    const databaseUrl = (database: (typeof DATABASES)[number]) => url(database, database);
    const services = servicesOf({ root: ROOT, folder, ports, secrets: SECRETS, databaseUrl, kafkaUrl: null });
    const started = services.map((service) => start(withTls(service)));
    running.push(...(await Promise.all(started)));
  });
  after(async () => {
    await Promise.all(running.map(({ stop }) => stop()));
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  /** A certificate of its own for everyone, for the name by which everyone is called here. */
  function certify(who: string): string {
    const files = path.join(folder, `tls-${who}`);
    mkdirSync(files);
    const { cert, key } = authority.issue({ dns: ['localhost'] });
    writeFileSync(path.join(files, 'tls.crt'), cert);
    writeFileSync(path.join(files, 'tls.key'), key);
    writeFileSync(path.join(files, 'ca.crt'), authority.cert);
    return files;
  }

  function withTls(service: Service): Service {
    const { name, environment } = service;
    if (!('RPC_PORT' in environment)) return service;
    const byName = Object.entries(environment).map(([variable, value]) => [variable, toLocalhost(value)] as const);
    const probe = `http://127.0.0.1:${environment['OPERATIONS_PORT']}/readyz`;
    return {
      ...service,
      environment: { ...Object.fromEntries(byName), RPC_TLS_DIR: certify(name) },
      isHealthy: () => answers(probe),
    };
  }

  it('the operator sets up an agency, a deal is priced and read, its page is opened, and the broker is told', async () => {
    const { gateway_url, pricing_url, application_url, notification_url, token } = operatorAccess(
      ports,
      SECRETS.operatorToken,
    );
    const operator = {
      gateway_url: toLocalhost(gateway_url),
      pricing_url: toLocalhost(pricing_url),
      application_url: toLocalhost(application_url),
      notification_url: toLocalhost(notification_url),
      token,
    };
    const pfq = pfqOf({ folder, file: { operator } }, { tlsDir: certify('operator') });
    const run = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
      const { code, output, errors } = await pfq(words);
      assert.equal(code, 0, errors);
      return JSON.parse(output);
    };
    const rates = path.join(folder, 'rates.json');
    const asOf = new Date().toISOString().slice(0, 10);
    writeFileSync(rates, JSON.stringify({ as_of: asOf, source: 'invented', rates: { 1: 0.04, 12: 0.04 } }));
    await run('rates', 'load', rates);
    const agency = String((await run('agency', 'create', '--name', 'A'))['id']);
    await run('agency', 'switch', agency, '--live', 'on');
    await run('broker', 'create', '--agency', agency, '--email', OWNER, '--name', 'Avery Stone');
    const scopes = ['--scopes', 'quotes:write,quotes:read,applications:read'];
    const key = ['--agency', agency, '--mode', 'live', '--type', 'agency', '--broker', OWNER, '--name', 'n', ...scopes];
    const addresses = addressesOf(ports);
    const api = apiOf(addresses.gateway, String((await run('key', 'create', ...key))['key']));

    const { id, hosted_url: hostedUrl, options } = quoteOf(await api.post(exampleBody('roofing-contractor')));
    assert.equal((await api.ask('GET', '/v1/applications')).status, 200);
    assert.equal((await respond(hostedUrl ?? '', String(options[0]?.['id']))).status, 303);
    await until(async () => (await mailsAbout({ file: { mail_url: addresses.mail } }, id)).length === 1, SECONDS);
    await until(async () => (await api.get(id)).text.includes('"status":"sent"'), SECONDS);
    await run('mail', 'list', '--failed');
    await run('audit', 'list');

    const unproven = await pfqOf({ folder, file: { operator } })(['agency', 'list']);
    assert.match(unproven.errors, /whether it demands a certificate \(PFQ_OPERATOR_TLS_DIR\)/);
  });
});

async function start(service: Service): Promise<Running> {
  const lines: string[] = [];
  const tell = (_name: string, line: string) => lines.push(line);
  const inherited = { ...process.env, OTEL_SDK_DISABLED: 'true', LOG_LEVEL: 'warn' };
  try {
    return await serviceProcess(service, { inherited, tell }).start(new AbortController().signal);
  } catch (error) {
    throw new Error(lines.join('\n'), { cause: error });
  }
}

/** TLS knows names, not addresses. */
function toLocalhost(url: string): string {
  return url.replace('grpc://127.0.0.1:', 'grpc://localhost:');
}

async function freePorts(): Promise<Ports> {
  const free = new Set<number>();
  while (free.size < PORT_NAMES.length) free.add(await findFreePort());
  const chosen: Record<keyof Ports, number> = { ...choosePorts({}) };
  for (const [index, port] of [...free].entries()) {
    const name = PORT_NAMES[index];
    if (name) chosen[name] = port;
  }
  return chosen;
}
