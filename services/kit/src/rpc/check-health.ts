import { status } from '@grpc/grpc-js';
import type { Client, ServiceError } from '@grpc/grpc-js';
import type { Dependency } from '../health.ts';
import type { DependencyName } from '../telemetry/registry.ts';
import { explainConnection } from './explain-connection.ts';

const TIMEOUT_MS = 1_000;
/** From the end of a look to the next. */
const EVERY_MS = 5_000;

/** An empty grpc.health.v1.HealthCheckRequest: how the server as a whole is. */
const WHOLE_SERVER = Buffer.alloc(0);
/** grpc.health.v1.HealthCheckResponse with field 1, status, SERVING. */
const SERVING = Buffer.from([0x08, 1]);

/** Another service as a dependency: while it is away, what needs it is answered so and the rest as ever. */
export function rpcDependency(name: DependencyName, transport: { check(): Promise<void> }): Dependency {
  return { name, isVital: false, everyMs: EVERY_MS, check: () => transport.check() };
}

/** Asks the other side's health. Rejects within a second where it does not answer that it serves. */
export function checkHealth(client: Client, connection: { readonly isEncrypted: boolean }): Promise<void> {
  return new Promise((resolve, reject) => {
    const asIs = (bytes: Buffer) => bytes;
    const options = { deadline: Date.now() + TIMEOUT_MS };
    client.makeUnaryRequest('/grpc.health.v1.Health/Check', asIs, asIs, WHOLE_SERVER, options, (error, answer) => {
      if (error) reject(new Error(reasonOf(error, connection), { cause: error }));
      else if (answer && SERVING.equals(answer)) resolve();
      else reject(new Error('it answers that it does not serve'));
    });
  });
}

function reasonOf({ code, details }: ServiceError, connection: { readonly isEncrypted: boolean }): string {
  return code === status.DEADLINE_EXCEEDED ? 'no answer within a second' : explainConnection(details, connection);
}
