import path from 'node:path';
import { createServiceDatabases } from '@pfq/local/databases';
import { startPostgres } from '@pfq/local/embedded-postgres';
import { choosePorts, findFreePort } from '@pfq/local/ports';
import type { Ports } from '@pfq/local/ports';
import { seedDemo } from '@pfq/local/seed';
import type { Demo } from '@pfq/local/seed';
import { addressesOf, DATABASES, rpcUrl, servicesOf } from '@pfq/local/services';
import { liftLimits } from './limits.ts';
import { openBalancer } from './replicas-balancer.ts';
import type { Balancer } from './replicas-balancer.ts';
import { makeReplica } from './replicas-process.ts';
import type { Listener, Replica } from './replicas-process.ts';
import type { WithDatabases } from './sql.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

const FREE_PORTS = { RPC_PORT: '0', HTTP_PORT: '0', OPERATIONS_PORT: '0' };
/**
 * Longer than the balancers take to notice that a replica is not ready any more. Callers over HTTP are given the usual time, in
 * which they leave idle connections; calls between services are told where they are not wanted any more, and need no more.
 */
const DELAYS = { http: { SHUTDOWN_DELAY_MS: '5000' }, rpc: { SHUTDOWN_DELAY_MS: '400' } };
const SECRETS = {
  operatorToken: 'operator-token-of-a-stack-of-replicas',
  keyPepper: 'key-pepper-of-a-stack-of-replicas-0123456789',
  answerSecret: 'answer-secret-of-a-stack-of-replicas-0123456789',
  reviewSecret: 'review-secret-of-a-stack-of-replicas-0123456789',
};

/** Before which listeners of a service there is a balancer, each by the port under which the others know it. */
const BALANCED = {
  pricing: { pricing: 'rpc' },
  'quote-store': { quoteStore: 'rpc' },
  application: { application: 'rpc' },
  notification: { notification: 'rpc' },
  'hosted-page': { hostedPage: 'http' },
  gateway: { gateway: 'http', gatewayRpc: 'rpc' },
} as const satisfies Record<string, Partial<Record<keyof Ports, Listener>>>;
export type ServiceName = keyof typeof BALANCED;
const SERVICES = ['pricing', 'quote-store', 'application', 'notification', 'hosted-page', 'gateway'] as const;

export type Replicas = WithDatabases & {
  readonly gatewayUrl: string;
  readonly keys: Demo['keys'];
  /** Stops a replica of a service, 0 or 1, and starts it again. Gives how the old process ended. */
  readonly restart: (service: ServiceName, replica: number) => Promise<string>;
  /** How many connections the balancers gave to each replica of a service. */
  readonly given: (service: ServiceName) => readonly number[];
  /** Every line at `error` and above, with the name of its service before it. */
  readonly errors: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Two processes of every service with the settings of production, behind balancers, on a PostgreSQL of their own. */
export async function startReplicas(folder: string, smtpPort: number): Promise<Replicas> {
  const errors: string[] = [];
  const pairs = new Map<ServiceName, readonly [Replica, Replica]>();
  const balancers = new Map<string, Balancer>();
  const ports: Record<keyof Ports, number> = { ...choosePorts({}), smtp: smtpPort, postgres: await findFreePort() };
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    port: ports.postgres,
    log: () => {},
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' },
  });
  await createServiceDatabases(postgres, DATABASES);
  const serviceOf = (name: ServiceName) => {
    const databaseUrl = (database: (typeof DATABASES)[number]) => postgres.url(database, database);
    const all = servicesOf({ root: ROOT, folder, ports, secrets: SECRETS, databaseUrl, kafkaUrl: null });
    const service = all.find((one) => one.name === name);
    if (!service) throw new Error(`there is no service ${name}`);
    const delay = DELAYS['HTTP_PORT' in service.environment ? 'http' : 'rpc'];
    return { ...service, environment: { ...service.environment, ...FREE_PORTS, ...delay } };
  };
  for (const name of SERVICES) {
    const one = () =>
      makeReplica(
        () => serviceOf(name),
        (line) => void (/^\{"level":"(?:error|fatal)"/.test(line) && errors.push(`${name} ${line}`)),
      );
    const pair = [one(), one()] as const;
    pairs.set(name, pair);
    for (const [port, listener] of Object.entries(BALANCED[name])) {
      const balancer = await openBalancer(pair.map(({ backend }) => backend(listener)));
      balancers.set(port, balancer);
      Object.assign(ports, { [port]: balancer.port });
    }
  }
  const every = [...pairs.values()].flat();
  const replicaOf = (name: ServiceName, index: number) => {
    const replica = pairs.get(name)?.[index];
    if (!replica) throw new Error(`there is no replica ${index} of ${name}`);
    return replica;
  };
  for (const index of [0, 1]) await Promise.all(SERVICES.map((name) => replicaOf(name, index).start()));
  const operator = {
    gateway_url: rpcUrl(ports.gatewayRpc),
    pricing_url: rpcUrl(ports.pricing),
    application_url: rpcUrl(ports.application),
    notification_url: rpcUrl(ports.notification),
    token: SECRETS.operatorToken,
  };
  const { keys } = await seedDemo({ folder, operator });
  const file = { postgres_url: postgres.url('postgres') };
  await liftLimits({ file });
  return {
    gatewayUrl: addressesOf(ports).gateway,
    keys,
    file,
    errors,
    async restart(name, index) {
      const replica = replicaOf(name, index);
      const how = await replica.stop();
      await replica.start();
      return how;
    },
    given: (name) => {
      const counts = Object.keys(BALANCED[name]).map((port) => balancers.get(port)?.given ?? []);
      return [0, 1].map((index) => counts.reduce((sum, count) => sum + (count[index] ?? 0), 0));
    },
    async stop() {
      for (const replica of every) replica.kill();
      for (const balancer of balancers.values()) balancer.close();
      await postgres.stop();
    },
  };
}
