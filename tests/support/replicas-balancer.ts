import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

const HOST = '127.0.0.1';
/** How soon a balancer notices; platforms take a second or more, and a service that stops waits for them longer. */
const PROBE_MS = 50;

export type Backend = {
  /** Null while there is no process. */
  readonly port: () => number | null;
  readonly isReady: () => boolean;
};

export type Balancer = {
  readonly port: number;
  /** How many connections each backend was given. */
  readonly given: readonly number[];
  close(): void;
};

/** One address before several replicas, as a ClusterIP is: each connection goes to one that is ready, in turns, and stays. */
export async function openBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const given = backends.map(() => 0);
  let turn = 0;

  function choose(): number {
    const turns = backends.map((_, index) => (turn + index) % backends.length);
    const chosen = turns.find((index) => backends[index]?.isReady());
    turn = (chosen ?? turn) + 1;
    return chosen ?? -1;
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const chosen = choose();
    const port = backends[chosen]?.port() ?? null;
    if (port === null) return void near.destroy();
    given[chosen] = (given[chosen] ?? 0) + 1;
    const far = connect({ port, host: HOST, allowHalfOpen: true });
    near.pipe(far);
    far.pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.resetAndDestroy());
      socket.on('close', () => sockets.delete(socket));
    }
  }).listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port');
  return {
    port: address.port,
    given,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Asks a probe again and again, and tells what it last said. */
export function keepProbing(url: () => string | null): { readonly isReady: () => boolean; stop(): void } {
  let isReady = false;
  let isStopped = false;
  const probe = async () => {
    const place = url();
    const answer = place === null ? null : await fetch(place).catch(() => null);
    await answer?.body?.cancel();
    isReady = answer?.status === 200;
    if (!isStopped) setTimeout(() => void probe(), PROBE_MS);
  };
  void probe();
  return {
    isReady: () => isReady,
    stop() {
      isStopped = true;
    },
  };
}
