import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import type { Certificate } from './certificates.ts';

/** Code and words: `451 4.3.0 Try again later`. */
type Reply = `${number} ${string}`;
type Command = 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';

/** What the server does otherwise than a good one does. */
export type SmtpScript = {
  /** Instead of the greeting. */
  readonly greeting: Reply | null;
  /** Instead of doing what the command asks for: say that, or nothing at all. */
  readonly replies: Readonly<Partial<Record<Command, Reply | 'hang'>>>;
  /**
   * When the message comes: take it; refuse it once it is complete; take it and never answer; take it and hang up instead
   * of answering; hang up before it is complete.
   */
  readonly message: 'take' | Reply | 'hang' | 'drop' | 'drop-midway';
};

export type ReceivedMail = {
  readonly raw: Buffer;
  /** The envelope's. */
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** Who had logged in; null where nobody had. */
  readonly user: string | null;
};

export type ScriptedSmtp = {
  readonly port: number;
  /** Every message that came in whole and was not refused, answered or not, oldest first. */
  readonly received: readonly ReceivedMail[];
  /** How many connections were opened so far. */
  readonly connections: () => number;
  /** From now on as a good server does, but for this. */
  behave(script: Partial<SmtpScript>): void;
  /** Ends every connection that is open, without a word. */
  hangUp(): void;
  /** Refuses connections, and ends those that are open. */
  goAway(): Promise<void>;
  /** Takes connections again, on the same port. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
};

export type SmtpOptions = {
  /** Offers STARTTLS, or with `isTlsFromStart` speaks nothing but TLS; without it there is no encryption. */
  readonly certificate?: Certificate;
  readonly isTlsFromStart?: boolean;
  /** Demanded before any mail; asked for without encryption too. */
  readonly login?: { readonly user: string; readonly password: string };
};

const GOOD: SmtpScript = { greeting: null, replies: {}, message: 'take' };

/** A mail server on 127.0.0.1 that does as it is told. */
export async function startSmtp(options: SmtpOptions = {}): Promise<ScriptedSmtp> {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let script = GOOD;
  let opened = 0;
  let server = await listen(0);

  async function listen(port: number): Promise<{ readonly smtp: SMTPServer; readonly port: number }> {
    const smtp = new SMTPServer({
      ...options.certificate,
      secure: options.isTlsFromStart === true,
      disabledCommands: disabledBy(options),
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      onConnect(session, done) {
        opened += 1;
        replaceCommands(smtp, session, () => script.replies);
        done(script.greeting === null ? null : refusal(script.greeting));
      },
      onAuth({ username, password }, _session, done) {
        const isRight = username === options.login?.user && password === options.login?.password;
        done(isRight ? null : refusal('535 5.7.8 Login refused'), { user: username });
      },
      onData: (stream, session, done) => void takeMessage({ smtp, stream, session, done }),
    });
    // A client that goes away is no news here.
    smtp.on('error', () => {});
    smtp.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    smtp.listen(port, '127.0.0.1');
    await once(smtp.server, 'listening');
    const address = smtp.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return { smtp, port: address.port };
  }

  async function takeMessage({ smtp, stream, session, done }: Delivery): Promise<void> {
    const { message } = script;
    const hangUp = () => connectionOf(smtp, session)?._socket.destroy();
    if (message === 'drop-midway') {
      stream.once('data', hangUp);
      stream.once('error', () => {});
      return;
    }
    const raw = await buffer(stream).catch(() => null);
    if (raw === null) return;
    if (message === 'take' || message === 'hang' || message === 'drop') received.push(describe(raw, session));
    if (message === 'take') done();
    else if (message === 'drop') hangUp();
    else if (message !== 'hang') done(refusal(message));
  }

  const hangUp = () => {
    // What encrypts goes before what it stands on; a session that has ended may still hold its socket.
    for (const connection of server.smtp.connections) connection._socket.destroy();
    for (const socket of sockets) socket.destroy();
  };
  const goAway = async () => {
    const closed = new Promise<void>((resolve) => {
      server.smtp.close(() => resolve());
    });
    hangUp();
    await closed;
  };
  return {
    port: server.port,
    received,
    connections: () => opened,
    behave: (wanted) => void (script = { ...GOOD, ...wanted }),
    hangUp,
    goAway,
    async comeBack() {
      server = await listen(server.port);
    },
    stop: goAway,
  };
}

type Delivery = {
  readonly smtp: SMTPServer;
  readonly stream: SMTPServerDataStream;
  readonly session: SMTPServerSession;
  readonly done: (problem?: Error) => void;
};

function disabledBy({ certificate, login }: SmtpOptions): string[] {
  return [...(certificate === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])];
}

/** Answers commands by the script, as it stands when they come. */
function replaceCommands(smtp: SMTPServer, session: SMTPServerSession, replies: () => SmtpScript['replies']): void {
  const connection = connectionOf(smtp, session);
  if (connection === undefined) throw new Error('the session has no connection');
  for (const command of ['EHLO', 'HELO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA'] as const) {
    const usual = connection[`handler_${command}`].bind(connection);
    connection[`handler_${command}`] = (line: Buffer, done: () => void) => {
      const reply = replies()[command];
      if (reply === undefined) return usual(line, done);
      if (reply === 'hang') return;
      connection.send(...read(reply), false);
      done();
    };
  }
}

function connectionOf(smtp: SMTPServer, session: SMTPServerSession) {
  return [...smtp.connections].find(({ id }) => id === session.id);
}

function describe(raw: Buffer, { envelope, secure, user }: SMTPServerSession): ReceivedMail {
  return {
    raw,
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    isEncrypted: secure,
    user: typeof user === 'string' ? user : null,
  };
}

function refusal(reply: Reply): Error {
  const [responseCode, words] = read(reply);
  return Object.assign(new Error(words), { responseCode });
}

function read(reply: Reply): [code: number, words: string] {
  const [code = '', ...words] = reply.split(' ');
  return [Number(code), words.join(' ')];
}
