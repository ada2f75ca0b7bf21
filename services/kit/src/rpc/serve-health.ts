import { HealthImplementation } from 'grpc-health-check';
import type { Server } from '@grpc/grpc-js';
import type { Health, HealthState } from '../health.ts';

export type ServedHealth = {
  addToServer(server: Server): void;
  /** From now on nothing serves. */
  end(): void;
};

/** By the names that `grpc.health.v1` knows it under: the server as a whole, and what probes ask for. */
const SERVES: Readonly<Record<string, (state: HealthState) => boolean>> = {
  '': (state) => state === 'ready',
  readiness: (state) => state === 'ready',
  startup: (state) => state !== 'starting',
  liveness: () => true,
};

/** What `grpc.health.v1` answers: the state of the service, or that it serves where it has none. */
export function healthOf(health: Pick<Health, 'report' | 'onChange'> | undefined): ServedHealth {
  const served = new HealthImplementation();
  const tell = (state: HealthState) => {
    for (const [name, serves] of Object.entries(SERVES))
      served.setStatus(name, serves(state) ? 'SERVING' : 'NOT_SERVING');
  };
  tell(health?.report().state ?? 'ready');
  const unsubscribe = health?.onChange(tell);
  return {
    addToServer: (server) => served.addToServer(server),
    end() {
      unsubscribe?.();
      for (const name of Object.keys(SERVES)) served.setStatus(name, 'NOT_SERVING');
    },
  };
}
