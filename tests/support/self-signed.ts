import { generateKeyPairSync, sign } from 'node:crypto';

export type Certificate = { readonly key: string; readonly cert: string };

const LIFETIME_MS = 86_400_000;
const OID = {
  commonName: [0x55, 0x04, 0x03],
  subjectAltName: [0x55, 0x1d, 0x11],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
};

/** A certificate for 127.0.0.1 that nobody else has signed, good for a day: RFC 5280 in DER. */
export function selfSigned(nowMs: number = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(element(0x06, OID.ecdsaWithSha256));
  const name = sequence(element(0x31, sequence(element(0x06, OID.commonName), element(0x0c, Buffer.from('test')))));
  // [7] of GeneralName is an IP address.
  const alternative = element(0x04, sequence(element(0x87, [127, 0, 0, 1])));
  const toBeSigned = sequence(
    element(0xa0, element(0x02, [2])),
    element(0x02, [1]),
    algorithm,
    name,
    sequence(time(nowMs - LIFETIME_MS), time(nowMs + LIFETIME_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(element(0x06, OID.subjectAltName), alternative))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const der = sequence(toBeSigned, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
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
