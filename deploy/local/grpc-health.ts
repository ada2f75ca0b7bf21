import { connect } from 'node:http2';

/** A gRPC frame around an empty message: not compressed, of length zero. Empty names the server as a whole. */
const EMPTY_REQUEST = Buffer.from([0, 0, 0, 0, 0]);
/** A frame of two bytes: field 1, status, is 1, SERVING (grpc.health.v1.HealthCheckResponse). */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 0x01]);
const TIMEOUT_MS = 1_000;

/** Asks a gRPC server `grpc.health.v1.Health/Check`: true where it answers that it serves. */
export async function isServing(address: { readonly host: string; readonly port: number }): Promise<boolean> {
  const session = connect(`http://${address.host}:${address.port}`);
  const answer = new Promise<boolean>((resolve) => {
    session.on('error', () => resolve(false));
    const call = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    call.on('error', () => resolve(false));
    call.on('data', (chunk: Buffer) => chunks.push(chunk));
    call.on('end', () => resolve(Buffer.concat(chunks).equals(SERVING)));
    call.setTimeout(TIMEOUT_MS, () => resolve(false));
    call.end(EMPTY_REQUEST);
  });
  return answer.finally(() => session.destroy());
}
