import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Setting } from './config.ts';

/** Who we are and whom we believe, in PEM, by the names that TLS of Node knows them under. */
export type TlsIdentity = { readonly cert: Buffer; readonly key: Buffer; readonly ca: Buffer };

export type ReadCertificates = TlsIdentity & {
  /** Of our own certificate, milliseconds since 1970. */
  readonly beginsMs: number;
  readonly endsMs: number;
  /** Whether an authority of ca.crt has signed our certificate, or one of its chain. */
  readonly isOfAuthority: boolean;
};

/** As cert-manager writes them into a Secret. */
const FILES = { cert: 'tls.crt', key: 'tls.key', ca: 'ca.crt' } as const;

const CERTIFICATE = /^-----BEGIN CERTIFICATE-----\s[A-Za-z\d+/=\s]+^-----END CERTIFICATE-----[^\S\n]*$/gm;
/** Words for people may stand around certificates, but not what is left of one, or a key. */
const LEFT_OF_ONE = /-----[BE]|(?:BEGIN|END) CERTIFICATE/;

/**
 * Reads a folder with tls.crt, tls.key and ca.crt, in which each certificate must be whole. Throws a phrase that names the file
 * which is missing or wrong.
 */
export function readCertificates(folder: string): ReadCertificates {
  const cert = read(folder, FILES.cert);
  const key = read(folder, FILES.key);
  const ca = read(folder, FILES.ca);
  const chain = certificatesOf(cert, path.join(folder, FILES.cert));
  const authorities = certificatesOf(ca, path.join(folder, FILES.ca));
  const [{ validFromDate, validToDate }] = chain;
  const isOfAuthority = chain.some((one) =>
    authorities.some((authority) => one.checkIssued(authority) && one.verify(authority.publicKey)),
  );
  try {
    createSecureContext({ cert, key, ca });
  } catch (error) {
    throw new Error(`names a folder whose key cannot be used with its certificate: ${path.join(folder, FILES.key)}`, {
      cause: error,
    });
  }
  return { cert, key, ca, beginsMs: validFromDate.getTime(), endsMs: validToDate.getTime(), isOfAuthority };
}

/** Why others may refuse a certificate that can be read; null where nothing is seen. It may still be what was wanted. */
export function doubtAbout({ beginsMs, endsMs, isOfAuthority }: ReadCertificates, nowMs: number): string | null {
  if (endsMs < nowMs) return `tls.crt has ended, at ${new Date(endsMs).toISOString()}`;
  if (beginsMs > nowMs) return `tls.crt is good from ${new Date(beginsMs).toISOString()} on, and not yet`;
  return isOfAuthority
    ? null
    : 'tls.crt is of no authority in ca.crt, which those who are called and those who call have too';
}

/** A folder of certificates; where the variable is not set there is none, and no TLS. */
export function tlsFolder(variable: string, described: { readonly doc: string }): Setting<string | null> {
  return {
    variable,
    ...described,
    fallback: '',
    secret: false,
    parse(given) {
      if (given === '') return null;
      readCertificates(given);
      return given;
    },
  };
}

function read(folder: string, name: string): Buffer {
  const file = path.join(folder, name);
  try {
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(`names a folder in which a file cannot be read: ${file}${code}`, { cause: error });
  }
}

/** OpenSSL passes over what it cannot read, and over all that follows it, without a word: so each one is read here. */
function certificatesOf(pem: Buffer, file: string): readonly [X509Certificate, ...X509Certificate[]] {
  const text = pem.toString('latin1');
  if (LEFT_OF_ONE.test(text.replace(CERTIFICATE, '')))
    throw new Error(`names a folder in which a file holds something other than whole certificates: ${file}`);
  const [first, ...others] = [...text.matchAll(CERTIFICATE)].map(([one], at) => {
    try {
      return new X509Certificate(one);
    } catch (error) {
      throw new Error(`names a folder in which certificate ${at + 1} of a file cannot be read: ${file}`, {
        cause: error,
      });
    }
  });
  if (!first) throw new Error(`names a folder in which a file holds no certificate: ${file}`);
  return [first, ...others];
}
