import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@pfq/kit/errors';

/** 2 MB: the largest body that is read. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** The caller went away before its request was whole; there is nobody to answer. */
export class RequestAborted extends Error {}

/**
 * Reads a whole request body of at most MAX_BODY_BYTES. Throws INVALID_REQUEST at once where the declared length is
 * larger or the body is compressed, and while reading where an undeclared length turns out larger. A caller that asked
 * first (`Expect: 100-continue`) is told to go on only when its body will be read.
 */
export async function readBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  requirePlain('Content-Encoding', { coding: request.headers['content-encoding'], plain: 'identity' });
  requirePlain('Transfer-Encoding', { coding: request.headers['transfer-encoding'], plain: 'chunked' });
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  if (request.destroyed) throw new RequestAborted();
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        request.off('data', take).pause();
        reject(tooLarge());
      }
    };
    const giveUp = () => request.complete || reject(new RequestAborted());
    request.on('data', take).once('end', () => resolve(Buffer.concat(chunks, length)));
    request.once('error', giveUp).once('close', giveUp);
  });
}

function requirePlain(header: string, { coding, plain }: { coding: string | undefined; plain: string }): void {
  if (coding === undefined || coding.trim().toLowerCase() === plain) return;
  throw new ServiceError('INVALID_REQUEST', {
    message: `${header} ${coding.slice(0, 40)} is not read. Send the body uncompressed.`,
  });
}

function tooLarge(): ServiceError {
  return new ServiceError('INVALID_REQUEST', {
    message: `The body is larger than 2 MB (${MAX_BODY_BYTES} bytes). Send a smaller one.`,
  });
}
