import { LOCAL_HOST } from '@pfq/local/ports';
import { serviceProcess } from '@pfq/local/service-process';
import type { Service } from '@pfq/local/service-process';
import type { Running } from '@pfq/local/supervisor';
import { keepProbing } from './replicas-balancer.ts';
import type { Backend } from './replicas-balancer.ts';

export type Listener = 'rpc' | 'http';

/** One process of a service, or the place where the next one is going to be. */
export type Replica = {
  /** How a balancer sees one of its listeners. */
  readonly backend: (listener: Listener) => Backend;
  readonly start: () => Promise<void>;
  /** Asks it to stop, as a platform does, and gives how it ended. */
  readonly stop: () => Promise<string>;
  readonly kill: () => void;
};

type LogLine = Readonly<Record<string, unknown>>;

/** Each takes ports that are free, as its log lines tell. `tell` gets everything that it writes. */
export function makeReplica(service: () => Service, tell: (line: string) => void): Replica {
  const ports = { operations: null, rpc: null, http: null } as Record<Listener | 'operations', number | null>;
  const probe = keepProbing(() =>
    ports.operations === null ? null : `http://${LOCAL_HOST}:${ports.operations}/readyz`,
  );
  let running: Running | null = null;

  function read(line: string): void {
    tell(line);
    if (!line.startsWith('{')) return;
    const { msg, operations_port, port, rpc_port = port, http_port = null }: LogLine = JSON.parse(line);
    if (msg === 'starting') ports.operations = Number(operations_port);
    if (msg === 'listening') Object.assign(ports, { rpc: rpc_port, http: http_port });
  }

  return {
    backend: (listener) => ({ isReady: probe.isReady, port: () => ports[listener] }),
    async start() {
      const part = serviceProcess(
        { ...service(), isHealthy: async () => probe.isReady() },
        { inherited: process.env, tell: (_name, line) => read(line) },
      );
      running = await part.start(new AbortController().signal);
    },
    async stop() {
      if (!running) return 'not running';
      const { ended, stop } = running;
      await stop();
      Object.assign(ports, { operations: null, rpc: null, http: null });
      return ended;
    },
    kill() {
      probe.stop();
      running?.kill();
    },
  };
}
