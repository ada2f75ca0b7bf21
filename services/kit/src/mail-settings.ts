import { oneOf } from './config.ts';
import type { Config, Setting } from './config.ts';
import { isEmailAddress } from './email-address.ts';
import { oneLine } from './mail-text.ts';

/** One mailbox. `name` is for people, null where there is none. */
export type MailAddress = { readonly name: string | null; readonly address: string };

type MailServer = {
  readonly host: string;
  readonly port: number;
  /** Whether TLS begins with the first byte (smtps), instead of by STARTTLS. */
  readonly isTlsFromStart: boolean;
  readonly credentials: { readonly user: string; readonly password: string } | null;
};

/** Ports of RFC 6409 (submission) and RFC 8314 (submission over TLS). */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const MAX_NAME = 100;

/** Settings of a service that sends email. */
export const mailSettings = {
  smtpUrl: smtpUrl('SMTP_URL', {
    doc: 'Mail server, smtp://user:password@host:587 or smtps://…; a private authority goes into NODE_EXTRA_CA_CERTS.',
  }),
  smtpTls: oneOf('SMTP_TLS', {
    doc: 'Whether mail goes out encrypted only; `never` is for a mail server on this host and cannot be used with a password.',
    choices: ['required', 'never'],
    fallback: 'required',
  }),
  mailFrom: mailFrom('MAIL_FROM', { doc: 'Sender of emails: Name <address>, or an address.' }),
};

export type MailConfig = Config<typeof mailSettings>;

/** What is wrong with the settings of mail taken together, a line each. */
export function mailConflicts({ smtpUrl: server, smtpTls }: MailConfig): readonly string[] {
  if (smtpTls === 'required') return [];
  if (server.credentials !== null) return ['SMTP_TLS must be required where SMTP_URL holds a password'];
  return server.isTlsFromStart ? ['SMTP_TLS must be required where SMTP_URL is smtps://'] : [];
}

function smtpUrl(variable: string, described: { readonly doc: string }): Setting<MailServer> {
  return {
    variable,
    ...described,
    secret: true,
    parse(given) {
      const server = URL.canParse(given) ? readServer(new URL(given)) : null;
      if (server === null) throw new Error('must be a URL such as smtp://user:password@host:587 or smtps://host');
      return server;
    },
  };
}

function readServer(url: URL): MailServer | null {
  const { protocol, hostname, username, password } = url;
  const usualPort = PORTS[protocol];
  const isPlain = /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
  if (usualPort === undefined || hostname === '' || !isPlain || (username === '') !== (password === '')) return null;
  const credentials = username === '' ? null : { user: decode(username), password: decode(password) };
  const port = url.port === '' ? usualPort : Number(url.port);
  return { host: hostname.replace(/^\[|\]$/g, ''), port, isTlsFromStart: protocol === 'smtps:', credentials };
}

/** Percent signs that encode nothing stand for themselves. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function mailFrom(variable: string, described: { readonly doc: string }): Setting<MailAddress> {
  return {
    variable,
    ...described,
    secret: false,
    parse(given) {
      const [, quoted, bare = '', inBrackets] = /^(?:"([^"]*)"|([^<>"]*?))\s*<([^<>]+)>$/.exec(given) ?? [];
      const address = inBrackets ?? given;
      // Its domain becomes a part of Message-IDs, which are ASCII.
      if (!isEmailAddress(address) || !/^[!-~]+$/.test(address))
        throw new Error(`must be like Quotes <quotes@agency.example>, not "${given}"`);
      const name = oneLine(quoted ?? bare, MAX_NAME);
      return { name: name === '' ? null : name, address };
    },
  };
}
