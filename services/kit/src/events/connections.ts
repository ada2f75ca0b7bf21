import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions } from 'node:tls';

type Target = {
  readonly host: string;
  readonly port: number;
  readonly ssl?: ConnectionOptions;
  readonly onConnect: () => void;
};

const KEEP_ALIVE_MS = 30_000;

type Connections = {
  readonly open: (target: Target) => Socket;
  /** Fails every request under way and lets none begin. */
  readonly abandon: () => void;
};

/**
 * Makes the connections of one client, and ends them all at once: what the client does by itself is to wait for answers,
 * for ever where the network has gone without a word.
 */
export function openConnections(): Connections {
  const sockets = new Set<Socket>();
  let isAbandoned = false;
  return {
    open({ host, port, ssl, onConnect }) {
      if (isAbandoned) throw new Error('the connection to Kafka was given up');
      const name = isIP(host) ? {} : { servername: host };
      const socket = ssl ? connectTls({ host, port, ...name, ...ssl }, onConnect) : connect({ host, port }, onConnect);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    },
    abandon() {
      isAbandoned = true;
      // The client learns of a lost connection by its error alone; one that it has ended itself needs none.
      for (const socket of sockets) socket.destroy(socket.writableEnded ? undefined : new Error('given up'));
    },
  };
}
