import { connect } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** What is written to a socket, as it is; more is asked for when the last was taken. */
export type RawBytes = Iterable<string | Buffer> | AsyncIterable<string | Buffer>;

/**
 * Writes bytes for as long as the server takes them, and gives every answer until the server closes the connection.
 * `hangsUp`: our side of the connection ends with the last byte.
 */
export async function converseRaw(
  port: number,
  bytes: RawBytes,
  { hangsUp = false } = {},
): Promise<readonly RawAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  const heard: Buffer[] = [];
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A server that has answered resets the connection of a caller who goes on: the answer is what counts.
  socket.on('data', (chunk: Buffer) => heard.push(chunk)).on('error', () => {});
  for await (const part of bytes) {
    if (socket.destroyed) break;
    if (!socket.write(part)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  if (hangsUp) socket.end();
  await closed;
  return readAnswers(Buffer.concat(heard));
}

/** A body in uneven chunks, which tear characters and names apart. */
export function inChunks(body: string | Buffer): readonly (string | Buffer)[] {
  const whole = Buffer.from(body);
  const size = Math.max(7, Math.ceil(whole.length / 50));
  const chunks: (string | Buffer)[] = [];
  for (let at = 0; at < whole.length; at += size) {
    const chunk = whole.subarray(at, at + size);
    chunks.push(`${chunk.length.toString(16)}\r\n`, chunk, '\r\n');
  }
  return [...chunks, '0\r\n\r\n'];
}

function readAnswers(heard: Buffer): readonly RawAnswer[] {
  const end = heard.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [status = '', ...lines] = heard.subarray(0, end).toString().split('\r\n');
  const headers = new Map(lines.map(toHeader));
  const rest = heard.subarray(end + 4);
  const length = Number(headers.get('content-length') ?? 0);
  const answer = { status: Number(status.split(' ')[1]), headers, body: rest.subarray(0, length).toString() };
  return [answer, ...readAnswers(rest.subarray(length))];
}

function toHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
