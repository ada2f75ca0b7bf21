import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** What can happen to the connections that a relay passes on. */
export type Switches = {
  /** Ends every connection and lets none in, as if the server had stopped. */
  refuseConnections(): void;
  acceptConnections(): void;
  /** Takes what is sent to the server and gives no answer, as if the network had gone, until connections are accepted. */
  fallSilent(): void;
};

type Relay = Switches & { readonly port: number; close(): void };

/** A port of the loopback that passes connections on to a server until it is told otherwise. */
export async function openRelay(target: { readonly host: string; readonly port: number }): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isAccepting = true;
  let isSilent = false;
  const relay = createServer((near) => {
    if (!isAccepting) {
      near.destroy();
      return;
    }
    const far = connect(target);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => isSilent || near.write(chunk));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');

  function endConnections(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    port: address.port,
    refuseConnections() {
      isAccepting = false;
      endConnections();
    },
    acceptConnections() {
      if (isSilent) endConnections();
      isAccepting = true;
      isSilent = false;
    },
    fallSilent() {
      isSilent = true;
    },
    close() {
      endConnections();
      relay.close();
    },
  };
}
