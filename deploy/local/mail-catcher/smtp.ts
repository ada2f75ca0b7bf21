import { once } from 'node:events';
import type { Logger } from '@pfq/kit/log';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_CLIENTS = 50;
const TIME_TO_FINISH_MS = 1_000;

/** Takes mail without encryption and login, from whom and for whom ever. It is on disk once it is said to be taken. */
export async function serveSmtp({
  host,
  port,
  mailbox,
  logger,
}: {
  host: string;
  port: number;
  mailbox: Mailbox;
  logger: Logger;
}): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    // A look-up would leave this machine.
    disableReverseLookup: true,
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    closeTimeout: TIME_TO_FINISH_MS,
    logger: false,
    onData(stream, _session, done) {
      void take(stream, { mailbox, logger, done });
    },
  });
  server.on('error', (error) => logger.warn({ err: error }, 'SMTP connection failed'));
  server.listen(port, host);
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no port');
  return {
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

type Taking = { mailbox: Mailbox; logger: Logger; done: (problem?: Error) => void };

async function take(stream: SMTPServerDataStream, { mailbox, logger, done }: Taking): Promise<void> {
  try {
    const parts: Buffer[] = [];
    for await (const part of stream) if (!stream.sizeExceeded && Buffer.isBuffer(part)) parts.push(part);
    if (stream.sizeExceeded) return done(refusal(552, 'The message is too big'));
    const id = await mailbox.add(Buffer.concat(parts));
    logger.info({ mail_id: id }, 'mail caught');
    done();
  } catch (error) {
    logger.warn({ err: error }, 'mail could not be kept');
    done(refusal(451, 'The message could not be kept'));
  }
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}
