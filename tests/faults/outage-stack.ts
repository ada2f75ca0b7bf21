import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { createServiceDatabases } from '@pfq/local/databases';
import { accessPostgres } from '@pfq/local/embedded-postgres';
import { openLocalFolder, readOrCreateSecrets } from '@pfq/local/local-folder';
import { choosePorts } from '@pfq/local/ports';
import type { Ports } from '@pfq/local/ports';
import { seedDemo } from '@pfq/local/seed';
import type { Demo } from '@pfq/local/seed';
import { addressesOf, DATABASES, operatorAccess, servicesOf } from '@pfq/local/services';
import type { Operations } from '@pfq/local/services';
import { liftLimits } from '../support/limits.ts';
import { reservePorts } from '../support/stack.ts';
import { makeCollector, makeKafka, makeMongo, makePostgres, makeService } from './outage-parts.ts';
import type { Part } from './outage-parts.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Every port of gRPC by the name of the service. */
const RPC_PORTS = {
  gateway: 'gatewayRpc',
  'hosted-page': 'hostedPageRpc',
  pricing: 'pricing',
  'quote-store': 'quoteStore',
  application: 'application',
  notification: 'notification',
} as const satisfies Readonly<Record<keyof Operations, keyof Ports>>;

export type ServiceName = keyof Operations;
export const SERVICE_NAMES = Object.keys(RPC_PORTS) as readonly ServiceName[];

/** A whole stack of which every part can be taken away, and which nobody starts again but us. */
export type OutageStack = {
  readonly file: { readonly gateway_url: string; readonly mail_url: string; readonly postgres_url: string };
  readonly keys: Demo['keys'];
  /** By the name that it has in the documentation. What this machine has no server for is not there. */
  readonly parts: ReadonlyMap<string, Part>;
  readonly operations: Operations;
  readonly rpcPorts: Readonly<Record<ServiceName, number>>;
  readonly stop: () => Promise<void>;
};

type Needs = {
  readonly folder: string;
  readonly logFile: string;
  readonly mongoUrl: string | undefined;
  readonly hasKafka: boolean;
};

/** Starts it with everything that there is a server for: Kafka and MongoDB where they are given. */
export async function startOutageStack({ folder, logFile, mongoUrl, hasKafka }: Needs): Promise<OutageStack> {
  const parts = new Map<string, Part>();
  const ending: (() => unknown)[] = [];
  const stop = async () => {
    for (const end of ending.toReversed()) await end();
  };
  const add = <P extends Part>(name: string, part: P): P => {
    parts.set(name, part);
    ending.push(part.remove);
    return part;
  };
  try {
    openLocalFolder(folder);
    const { base, release } = await reservePorts();
    ending.push(release);
    const ports = choosePorts({ PFQ_PORT_BASE: String(base) });
    const dataDir = path.join(folder, 'postgres');
    const [postgres, collector, kafka, mongo] = await Promise.all([
      makePostgres(dataDir, ports.postgres),
      makeCollector(),
      hasKafka ? makeKafka() : null,
      mongoUrl ? makeMongo(mongoUrl) : null,
    ]);
    add('PostgreSQL, killed', postgres.killed);
    add('PostgreSQL, frozen', postgres.silent);
    add('collector', collector);
    if (kafka) add('Kafka', kafka);
    if (mongo) add('MongoDB', mongo);

    const { url, rolePassword } = accessPostgres({ dataDir, port: ports.postgres });
    await createServiceDatabases({ url, rolePassword }, DATABASES);
    const secrets = readOrCreateSecrets(folder);
    const inherited = {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_TRACES_SAMPLER_ARG: '1',
      OTEL_METRIC_EXPORT_INTERVAL: '3000',
    };
    const services = servicesOf({
      root: ROOT,
      folder,
      ports,
      secrets,
      databaseUrl: (name) => (name === 'application' && mongo ? mongo.address : url(name, name)),
      kafkaUrl: kafka?.address ?? null,
    });
    const tell = (name: string, line: string) => appendFileSync(logFile, `${name} | ${line}\n`);
    await Promise.all(
      services.map(async (service) => {
        add(service.name === 'mail' ? 'mail server' : service.name, await makeService(service, { inherited, tell }));
      }),
    );

    const operator = operatorAccess(ports, secrets.operatorToken);
    const { keys } = await seedDemo({ folder, operator });
    const { gateway, mail, operations } = addressesOf(ports);
    const file = { gateway_url: gateway, mail_url: mail, postgres_url: url('postgres') };
    await liftLimits({ file });
    const rpcPorts = Object.fromEntries(
      SERVICE_NAMES.map((name) => [name, ports[RPC_PORTS[name]]]),
    ) as OutageStack['rpcPorts'];
    return { file, keys, parts, operations, rpcPorts, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
