import { experimental } from '@grpc/grpc-js';
import type { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import type { Logger } from '../log.ts';
import { reasonOf } from '../health-reason.ts';
import { observe } from '../telemetry/metrics.ts';
import { doubtAbout, readCertificates } from '../tls-files.ts';
import type { ReadCertificates } from '../tls-files.ts';

/** How this process proves itself to other services, and has them prove themselves. */
export type RpcTls = { readonly server: ServerCredentials; readonly client: ChannelCredentials };

type RpcTlsOptions = {
  /** With tls.crt, tls.key and ca.crt; null for calls without TLS. */
  readonly folder: string | null;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly lookEveryMs?: number;
};

type CaListener = Parameters<experimental.CertificateProvider['addCaCertificateListener']>[0];
type IdentityListener = Parameters<experimental.CertificateProvider['addIdentityCertificateListener']>[0];

/** A renewed certificate has days to be noticed in, one that was withdrawn should not have many seconds. */
const LOOK_EVERY_MS = 10_000;

/**
 * TLS on both sides of every call: each side shows a certificate of an authority in ca.crt. Files that change are used for new
 * connections from then on, for as long as a listener or a client uses them. Throws where they cannot be used at first.
 */
export function openRpcTls({ folder, logger, lookEveryMs = LOOK_EVERY_MS }: RpcTlsOptions): RpcTls | null {
  if (folder === null) return null;
  const files = watchedFiles({ folder, logger, lookEveryMs });
  return {
    server: experimental.createCertificateProviderServerCredentials(files, files, true),
    client: experimental.createCertificateProviderChannelCredentials(files, files),
  };
}

/**
 * In place of grpc-js's own watcher of files, which drops what it has as soon as one of them cannot be read, and which takes
 * a certificate with the key of another where it reads while they are replaced: with either, no connection is made until it looks again.
 */
function watchedFiles({ folder, logger, lookEveryMs }: Required<RpcTlsOptions> & { readonly folder: string }) {
  const authorities = new Set<CaListener>();
  const identities = new Set<IdentityListener>();
  let current = readCertificates(folder);
  let toldReason = '';
  let timer: NodeJS.Timeout | undefined;
  let forget = () => {};

  function look(): void {
    try {
      const read = readCertificates(folder);
      toldReason = '';
      if (isSame(read, current)) return;
      current = read;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== toldReason) logger.warn({ reason }, 'new certificates cannot be used, and the old ones are kept');
      toldReason = reason;
      return;
    }
    logger.info({ ends_at: new Date(current.endsMs).toISOString() }, 'new certificates are used');
    doubt();
    for (const tell of authorities) tell(authorityOf(current));
    for (const tell of identities) tell(identityOf(current));
  }

  function doubt(): void {
    const reason = doubtAbout(current, Date.now());
    if (reason !== null) logger.warn({ folder, reason }, 'calls between services may be refused');
  }

  function begin(): void {
    if (timer) return;
    doubt();
    look();
    timer = setInterval(look, lookEveryMs).unref();
    forget = observeEnd(() => current);
  }

  function endWhereUnused(): void {
    if (authorities.size + identities.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    forget();
  }

  // Later, because whoever adds a listener is not ready for it before it is done with adding.
  const provider: experimental.CertificateProvider = {
    addCaCertificateListener(tell) {
      begin();
      authorities.add(tell);
      queueMicrotask(() => tell(authorityOf(current)));
    },
    removeCaCertificateListener(tell) {
      authorities.delete(tell);
      endWhereUnused();
    },
    addIdentityCertificateListener(tell) {
      begin();
      identities.add(tell);
      queueMicrotask(() => tell(identityOf(current)));
    },
    removeIdentityCertificateListener(tell) {
      identities.delete(tell);
      endWhereUnused();
    },
  };
  return provider;
}

function authorityOf({ ca }: ReadCertificates) {
  return { caCertificate: ca };
}

function identityOf({ cert, key }: ReadCertificates) {
  return { certificate: cert, privateKey: key };
}

function isSame(one: ReadCertificates, other: ReadCertificates): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.equals(other.ca);
}

function observeEnd(read: () => ReadCertificates): () => void {
  const seconds = (ms: number) => [{ value: ms / 1_000, attributes: {} }];
  const forget = [
    observe('pfq.tls.certificate.expiry', () => seconds(read().endsMs - Date.now())),
    observe('pfq.tls.certificate.lifetime', () => seconds(read().endsMs - read().beginsMs)),
  ];
  return () => {
    for (const each of forget) each();
  };
}
