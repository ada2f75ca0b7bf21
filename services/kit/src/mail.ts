import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import type { NodemailerError, SMTPPoolOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { ConfigError } from './config.ts';
import { isEmailAddress } from './email-address.ts';
import type { Dependency } from './health.ts';
import type { Logger } from './log.ts';
import { startDelivery } from './mail-delivery.ts';
import type { Delivery, DeliveryLimits } from './mail-delivery.ts';
import { failureCode, MailerClosed, MailFailure, toReply } from './mail-failure.ts';
import { watchMailServer } from './mail-server-health.ts';
import { mailConflicts } from './mail-settings.ts';
import type { MailAddress, MailConfig } from './mail-settings.ts';
import { oneLine } from './mail-text.ts';
import { inSpan, SpanKind } from './telemetry/spans.ts';

export { MailFailure } from './mail-failure.ts';
export { mailSettings } from './mail-settings.ts';
export type { MailAddress, MailConfig } from './mail-settings.ts';

/** A mail as it goes over the wire. `from` and `to` are its envelope: addresses, never looked for in the message. */
export type RawMail = { readonly raw: Uint8Array; readonly from: string; readonly to: string };

export type Mailer = {
  /** Resolves once the server has taken the mail; throws a MailFailure otherwise, or MailerClosed where it was not tried. */
  send(mail: RawMail): Promise<void>;
  /** How the server is. */
  readonly dependency: Dependency;
  /** Lets mails under way finish for a few seconds, then cuts them off. */
  close(): Promise<void>;
};

export type MailTimeouts = DeliveryLimits & {
  /** Name lookup, connection, TLS and greeting together. */
  readonly connectMs: number;
  /** What `close` gives mails under way. */
  readonly closeMs: number;
};

/**
 * RFC 5321, 4.5.3.2: five minutes for the slowest step before the end of the message, and ten for the answer to that,
 * because whoever hangs up earlier leaves a copy behind. A connection that does not come about harms nobody.
 */
export const MAIL_TIMEOUTS: MailTimeouts = {
  connectMs: 30_000,
  handOverMs: 300_000,
  answerMs: 600_000,
  closeMs: 5_000,
};
/** Servers hang up after minutes; a connection that was forgotten by something in between is never used again. */
const IDLE_MS = 30_000;
const MAX_CONNECTIONS = 5;
/** For a look at the server, each of its steps. */
const GREETING_MS = 5_000;

/** Connects when there is something to send. Throws a ConfigError where the settings contradict each other. */
export function openMailer(config: MailConfig, logger: Logger, timeouts: MailTimeouts = MAIL_TIMEOUTS): Mailer {
  const problems = mailConflicts(config);
  if (problems.length > 0) throw new ConfigError(problems);
  const { host, port, credentials } = config.smtpUrl;
  logger.info({ host, port, tls: config.smtpTls, authenticated: credentials !== null }, 'mail goes out by this server');
  const transport = nodemailer.createTransport(poolOptions(config, timeouts));
  const secrets = credentials === null ? [] : secretsOf(credentials);
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  const deliveryOf = watchMessages(transport);
  const server = watchMailServer(() => greet(config));
  let isClosed = false;

  async function deliver({ raw, from, to }: RawMail): Promise<void> {
    if (!isEmailAddress(to)) throw new MailFailure('mailbox_rejected', { reply: 'The recipient is no email address.' });
    const delivery = startDelivery(closing.signal, timeouts);
    const { signal } = delivery;
    deliveryOf.set(signal, delivery);
    try {
      await transport.sendMail({ raw: Buffer.from(raw), envelope: { from, to: [to] }, signal });
    } catch (error) {
      const failure = toFailure(error, { wasSent: delivery.wasSent(), secrets });
      if (closing.signal.aborted && failure.code === 'mail_server_unavailable') throw new MailerClosed();
      server.saw(failure.code);
      throw failure;
    } finally {
      delivery.end();
    }
    server.saw(null);
  }

  return {
    dependency: server.dependency,
    async send(mail) {
      if (isClosed) throw new MailerClosed();
      const attributes = { 'server.address': host, 'server.port': port };
      const delivery = inSpan('SMTP send', { kind: SpanKind.CLIENT, attributes }, () => deliver(mail));
      underWay.add(delivery);
      try {
        await delivery;
      } finally {
        underWay.delete(delivery);
      }
    },
    async close() {
      isClosed = true;
      await Promise.race([Promise.allSettled(underWay), delay(timeouts.closeMs, undefined, { ref: false })]);
      closing.abort(new Error('cut off, because the service stops'));
      // Whatever is not idle says goodbye to a server that may never answer.
      transport.close({ force: true });
    },
  };
}

/** Greets the server and takes leave again, on a connection of its own and without a login. */
async function greet(config: MailConfig): Promise<void> {
  await nodemailer.createTransport(connectionOptions(config, GREETING_MS)).verify();
}

function connectionOptions({ smtpUrl, smtpTls }: MailConfig, connectMs: number) {
  const { host, port, isTlsFromStart } = smtpUrl;
  const isEncrypted = smtpTls === 'required';
  return {
    host,
    port,
    secure: isTlsFromStart,
    requireTLS: isEncrypted && !isTlsFromStart,
    ignoreTLS: !isEncrypted,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: connectMs,
  };
}

function poolOptions(config: MailConfig, timeouts: MailTimeouts): SMTPPoolOptions & { pool: true } {
  const { credentials } = config.smtpUrl;
  return {
    ...connectionOptions(config, timeouts.connectMs),
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // A mail that meets a connection which the server has left tries the next: all of them may be such.
    maxRequeues: MAX_CONNECTIONS,
    // A server that offers no login is refused rather than used without one.
    ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password }, forceAuth: true }),
    // Longer than any mail may take: the limits of a mail end it, and its connection with it.
    socketTimeout: timeouts.handOverMs + timeouts.answerMs,
    idleTimeout: IDLE_MS,
  };
}

/** Tells each delivery, by the signal that its mail is sent under, when the last byte has been handed to a connection. */
function watchMessages(transport: ReturnType<typeof nodemailer.createTransport>): WeakMap<object, Delivery> {
  const deliveries = new WeakMap<object, Delivery>();
  transport.use('stream', (mail, done) => {
    const delivery = mail.data.signal && deliveries.get(mail.data.signal);
    if (delivery === undefined) return done(new Error('a mail is sent under the signal of its delivery'));
    mail.message.processFunc((input) => input.pipe(new PassThrough()).once('end', delivery.handOver));
    done();
  });
  return deliveries;
}

/** The password, and the forms in which it goes over the wire, which a server may repeat. */
function secretsOf({ user, password }: { readonly user: string; readonly password: string }): readonly string[] {
  return [password, base64(password), base64(`\0${user}\0${password}`)];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function toFailure(
  error: unknown,
  { wasSent, secrets }: { wasSent: boolean; secrets: readonly string[] },
): MailFailure {
  const { responseCode, response, command, message }: Partial<NodemailerError> =
    error instanceof Error ? error : { message: String(error) };
  const code = failureCode({ status: responseCode || null, command: command ?? '', wasSent });
  return new MailFailure(code, {
    reply: toReply(response || reasonOf(error) || message || 'no reply', secrets),
    cause: error,
  });
}

/** Why the signal of a mail was aborted, where that is what ended it. */
function reasonOf(error: unknown): string | null {
  const isAborted = error instanceof Error && error.name === 'AbortError' && error.cause instanceof Error;
  return isAborted && error.cause instanceof Error ? error.cause.message : null;
}

/** What people are shown of a mail, and how it is known. */
export type Letter = {
  readonly from: MailAddress;
  readonly to: MailAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets: `<evt_…@agency.example>`. */
  readonly messageId: string;
  readonly date: Date;
};

/** Longest header text that is taken from others; longer ones are cut. */
const MAX_HEADER = 250;
/** RFC 3834, and what Exchange knows instead: nobody's holiday notice answers this. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/**
 * Writes a mail of RFC 5322 with a text and an HTML part, UTF-8 in quoted-printable: the same letter gives the same bytes.
 * Whatever its texts hold, it has the header fields given here, one recipient and no line over 998 octets.
 */
export async function composeMail(letter: Letter): Promise<Uint8Array> {
  const { from, to, text, html, messageId, date } = letter;
  if (!/^<[\w.+-]+@[\w.-]+>$/.test(messageId)) throw new Error(`not a message id: ${messageId}`);
  const composer = new MailComposer({
    from: toMailbox(from),
    to: toMailbox(to),
    subject: oneLine(letter.subject, MAX_HEADER),
    text: withLineEnds(text),
    html: withLineEnds(html),
    messageId,
    date,
    headers: AUTOMATIC,
    encoding: 'quoted-printable',
    // "=_" cannot stand in quoted-printable, so that no text can end a part.
    boundaryPrefix: '=_pfq',
    baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 32),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Ends every line as mail does. */
function withLineEnds(text: string): string {
  return text.toWellFormed().replace(/\r\n?|\n/g, '\r\n');
}

function toMailbox({ name, address }: MailAddress): { name: string; address: string } {
  if (!isEmailAddress(address)) throw new Error('not one email address');
  return { name: oneLine(name ?? '', MAX_HEADER), address };
}
