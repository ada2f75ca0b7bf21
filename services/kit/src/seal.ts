import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts text for keeping. `place` says where it is kept: sealed bytes open nowhere else. */
export type Seal = {
  readonly seal: (text: string, place: string) => Buffer;
  /** Throws an Error where the bytes were changed or moved, or were sealed under a secret that is not known. */
  readonly open: (sealed: Buffer, place: string) => string;
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** First byte of what is sealed this way, so that another way can come beside it. */
const FORMAT = Buffer.of(1);
const SHORTEST = FORMAT.length + NONCE_BYTES + TAG_BYTES;

/** AES-256-GCM: format, random nonce, ciphertext, tag. The first secret seals; all of them open. */
export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const [newest, ...older] = secrets;
  const newestKey = deriveKey(newest);
  const keys = [newestKey, ...older.map(deriveKey)];
  return {
    seal: (text, place) => encrypt(text, place, newestKey),
    open(sealed, place) {
      if (sealed.length < SHORTEST || !sealed.subarray(0, FORMAT.length).equals(FORMAT)) {
        throw new Error('what is sealed has a format that is not known');
      }
      for (const key of keys) {
        const text = decrypt(sealed, place, key);
        if (text !== null) return text;
      }
      throw new Error('what is sealed was changed or moved, or its secret is not known');
    },
  };
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'pfq seal', KEY_BYTES));
}

function encrypt(text: string, place: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(place));
  const ciphertext = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([FORMAT, nonce, ...ciphertext, cipher.getAuthTag()]);
}

/** Null where the tag does not fit. */
function decrypt(sealed: Buffer, place: string, key: Buffer): string | null {
  const nonceEnd = FORMAT.length + NONCE_BYTES;
  const tagStart = sealed.length - TAG_BYTES;
  const nonce = sealed.subarray(FORMAT.length, nonceEnd);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(place)).setAuthTag(sealed.subarray(tagStart));
  const text = decipher.update(sealed.subarray(nonceEnd, tagStart), undefined, 'utf8');
  try {
    return text + decipher.final('utf8');
  } catch {
    return null;
  }
}

function boundTo(place: string): Buffer {
  return Buffer.concat([FORMAT, Buffer.from(place)]);
}
