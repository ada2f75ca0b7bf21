import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFields } from './form.ts';

/** A form as it was sent, or why there is none. */
export type Form =
  | { readonly kind: 'form'; readonly fields: ReadonlyMap<string, string> }
  /** No browser sends this for a form of ours. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'too-large' };

/** 256 KB: over twenty thousand characters of whatever script come back with their count. */
export const MAX_FORM_BYTES = 256 * 1024;

/** The caller went away before its form was whole; there is nobody to answer. */
export class RequestAborted extends Error {}

/** Reads a whole form of at most MAX_FORM_BYTES. A larger one is not read on, and not begun where it says its length. */
export async function readForm(request: IncomingMessage, response: ServerResponse): Promise<Form> {
  const { 'content-type': type = '', 'content-encoding': coding, 'content-length': length } = request.headers;
  const isForm = type.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  if (!isForm || coding !== undefined) return { kind: 'foreign' };
  if (Number(length ?? 0) > MAX_FORM_BYTES) return { kind: 'too-large' };
  if (request.headers.expect !== undefined) response.writeContinue();
  const body = await readBody(request);
  if (body === null) return { kind: 'too-large' };
  const fields = readFields(body);
  return fields === null ? { kind: 'foreign' } : { kind: 'form', fields };
}

/** Null where it is too large. */
function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_FORM_BYTES) chunks.push(chunk);
      else {
        request.off('data', take).pause();
        resolve(null);
      }
    };
    const giveUp = () => request.complete || reject(new RequestAborted());
    request.on('data', take).once('end', () => resolve(Buffer.concat(chunks, length)));
    request.once('error', giveUp).once('close', giveUp);
  });
}
