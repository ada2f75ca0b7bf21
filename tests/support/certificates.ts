import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export type Certificate = { readonly key: string; readonly cert: string };

/** Whom it is for. */
type Names = { readonly dns?: readonly string[]; readonly ip?: readonly string[] };

/** Somebody who vouches for others, and whose own certificate says so. */
export type Authority = {
  readonly cert: string;
  /** Good from a day ago until `endsMs`, milliseconds since 1970; tomorrow where it is absent. */
  issue(names: Names, endsMs?: number): Certificate;
};

const DAY_MS = 86_400_000;
const OID = {
  commonName: [0x55, 0x04, 0x03],
  basicConstraints: [0x55, 0x1d, 0x13],
  subjectAltName: [0x55, 0x1d, 0x11],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
};
/** basicConstraints, critical: that it may vouch for others. */
const IS_AUTHORITY = sequence(
  element(0x06, OID.basicConstraints),
  element(0x01, [0xff]),
  element(0x04, sequence(element(0x01, [0xff]))),
);

/** An authority of a test's own, good for a day. */
export function makeAuthority(name: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const self = { subject: name, issuer: name, publicKey, signedBy: privateKey, endsMs: Date.now() + DAY_MS };
  return {
    cert: certify({ ...self, extension: IS_AUTHORITY }),
    issue(names, endsMs = Date.now() + DAY_MS) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const cert = certify({
        subject: 'test',
        issuer: name,
        publicKey: own.publicKey,
        signedBy: privateKey,
        endsMs,
        extension: alternativeNames(names),
      });
      return { cert, key: toPem(own.privateKey) };
    },
  };
}

/** A certificate for 127.0.0.1 that nobody else has signed, good for a day. */
export function selfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extension = alternativeNames({ ip: ['127.0.0.1'] });
  const endsMs = Date.now() + DAY_MS;
  const cert = certify({ subject: 'test', issuer: 'test', publicKey, signedBy: privateKey, endsMs, extension });
  return { cert, key: toPem(privateKey) };
}

type Certified = {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signedBy: KeyObject;
  readonly endsMs: number;
  readonly extension: Buffer;
};

/** RFC 5280 in DER, as PEM. */
function certify({ subject, issuer, publicKey, signedBy, endsMs, extension }: Certified): string {
  const algorithm = sequence(element(0x06, OID.ecdsaWithSha256));
  const toBeSigned = sequence(
    element(0xa0, element(0x02, [2])),
    // A serial number is positive.
    element(0x02, [1, ...randomBytes(8)]),
    algorithm,
    nameOf(issuer),
    sequence(time(Math.min(Date.now(), endsMs) - DAY_MS), time(endsMs)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(extension)),
  );
  const signature = sign('sha256', toBeSigned, signedBy);
  const der = sequence(toBeSigned, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

/** [2] of GeneralName is a DNS name, [7] an IP address. */
function alternativeNames({ dns = [], ip = [] }: Names): Buffer {
  const names = [
    ...dns.map((name) => element(0x82, Buffer.from(name))),
    ...ip.map((address) => element(0x87, address.split('.').map(Number))),
  ];
  return sequence(element(0x06, OID.subjectAltName), element(0x04, sequence(...names)));
}

function nameOf(name: string): Buffer {
  return sequence(element(0x31, sequence(element(0x06, OID.commonName), element(0x0c, Buffer.from(name)))));
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function element(tag: number, content: Buffer | readonly number[]): Buffer {
  const body = Buffer.from(content);
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

/** UTCTime: YYMMDDhhmmssZ. */
function time(ms: number): Buffer {
  return element(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/\D/g, '')}Z`));
}
