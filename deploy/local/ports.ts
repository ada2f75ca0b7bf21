import { once } from 'node:events';
import { createServer } from 'node:net';
import { Problem } from './problem.ts';
import { hasCode } from './processes.ts';

export const LOCAL_HOST = '127.0.0.1';

/** From where the ports are counted that nobody has to know by heart. */
const DEFAULT_BASE = 8080;

/** Every port of the stack: what wants it, where it is by default, and its place behind PFQ_PORT_BASE. */
const PORTS = {
  gateway: port('PFQ_GATEWAY_PORT', { port: 8080, offset: 0, wantedBy: 'the public API' }),
  hostedPage: port('PFQ_HOSTED_PORT', { port: 8081, offset: 1, wantedBy: 'the hosted page' }),
  mail: port('PFQ_MAIL_PORT', { port: 8025, offset: 2, wantedBy: 'the mail catcher' }),
  postgres: port('PFQ_POSTGRES_PORT', { port: 8090, offset: 10, wantedBy: 'PostgreSQL' }),
  gatewayRpc: port('PFQ_GATEWAY_RPC_PORT', { port: 8091, offset: 11, wantedBy: "the gateway's operator API" }),
  pricing: port('PFQ_PRICING_PORT', { port: 8092, offset: 12, wantedBy: 'the pricing service' }),
  quoteStore: port('PFQ_QUOTE_STORE_PORT', { port: 8093, offset: 13, wantedBy: 'the quote store' }),
  application: port('PFQ_APPLICATION_PORT', { port: 8094, offset: 14, wantedBy: 'the application service' }),
  notification: port('PFQ_NOTIFICATION_PORT', { port: 8095, offset: 15, wantedBy: 'the notification service' }),
  hostedPageRpc: port('PFQ_HOSTED_RPC_PORT', { port: 8096, offset: 16, wantedBy: "the hosted page's health service" }),
  smtp: port('PFQ_SMTP_PORT', { port: 8097, offset: 17, wantedBy: "the mail catcher's SMTP" }),
  gatewayOperations: operations('GATEWAY', { offset: 20, of: 'the gateway' }),
  pricingOperations: operations('PRICING', { offset: 21, of: 'the pricing service' }),
  quoteStoreOperations: operations('QUOTE_STORE', { offset: 22, of: 'the quote store' }),
  applicationOperations: operations('APPLICATION', { offset: 23, of: 'the application service' }),
  notificationOperations: operations('NOTIFICATION', { offset: 24, of: 'the notification service' }),
  hostedPageOperations: operations('HOSTED', { offset: 25, of: 'the hosted page' }),
};

export type PortName = keyof typeof PORTS;
export type Ports = Readonly<Record<PortName, number>>;
export const PORT_NAMES = Object.keys(PORTS) as readonly PortName[];

const BASE = 'PFQ_PORT_BASE';
const HIGHEST_PORT = 65_535;

/** Reads where each port is to be: its own variable, else PFQ_PORT_BASE plus its place, else its default. */
export function choosePorts(environment: Readonly<Record<string, string | undefined>>): Ports {
  const base = readPort(environment, BASE);
  const chosen = PORT_NAMES.map((name) => {
    const { variable, port: usual, offset } = PORTS[name];
    return [name, readPort(environment, variable) ?? (base === null ? usual : base + offset)] as const;
  });
  for (const [index, [name, wanted]] of chosen.entries()) {
    if (wanted > HIGHEST_PORT) throw new Problem(`${BASE} is too high: no port is above ${HIGHEST_PORT}.`);
    const rival = chosen.slice(0, index).find(([, earlier]) => earlier === wanted);
    if (rival === undefined) continue;
    const [one, two] = [PORTS[rival[0]], PORTS[name]];
    throw new Problem(
      `port ${wanted} is wanted by ${one.wantedBy} and by ${two.wantedBy}: set ${one.variable} or ${two.variable}.`,
    );
  }
  return Object.fromEntries(chosen) as Ports;
}

/** Throws a Problem that names the first port that is taken, what wants it and how to move it. */
export async function requireFreePorts(ports: Ports, names: readonly PortName[]): Promise<void> {
  for (const name of names) {
    const { variable, wantedBy } = PORTS[name];
    const problem = await tryPort(ports[name]);
    if (problem === null) continue;
    throw new Problem(
      `port ${ports[name]} ${problem}, and ${wantedBy} wants it: ` +
        `free it, or set ${variable} to another port, or ${BASE} to move them all.`,
    );
  }
}

export async function areFree(ports: Ports, names: readonly PortName[]): Promise<boolean> {
  const problems = await Promise.all(names.map((name) => tryPort(ports[name])));
  return problems.every((problem) => problem === null);
}

/** A port that nothing uses now, chosen by the system. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen({ port: 0, host: LOCAL_HOST, exclusive: true });
  await listening;
  const address = server.address();
  const closed = once(server, 'close');
  server.close();
  await closed;
  if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
  return address.port;
}

async function tryPort(wanted: number): Promise<string | null> {
  const server = createServer();
  try {
    const listening = once(server, 'listening');
    server.listen({ port: wanted, host: LOCAL_HOST, exclusive: true });
    await listening;
    return null;
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) return 'is taken';
    if (hasCode(error, 'EACCES')) return 'may not be used by this account';
    throw error;
  } finally {
    server.close();
  }
}

function readPort(environment: Readonly<Record<string, string | undefined>>, variable: string): number | null {
  const text = environment[variable];
  if (text === undefined || text === '') return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= HIGHEST_PORT) return value;
  throw new Problem(`${variable} must be a port from 1 to ${HIGHEST_PORT}, not "${text}".`);
}

function port(variable: string, place: { port: number; offset: number; wantedBy: string }) {
  return { variable, ...place };
}

/** Where a service shows how it is, and its metrics. */
function operations(service: string, { offset, of }: { offset: number; of: string }) {
  return port(`PFQ_${service}_OPERATIONS_PORT`, {
    port: DEFAULT_BASE + offset,
    offset,
    wantedBy: `the health and metrics of ${of}`,
  });
}
