import { ServiceError } from '@pfq/kit/errors';
import { findEngine } from '../domain/engines.ts';
import type { Engine } from '../domain/engines.ts';

/** NOT_FOUND for an engine that this release does not have. */
export function engineOf(version: string): Engine {
  const engine = findEngine(version);
  if (engine) return engine;
  throw new ServiceError('NOT_FOUND', {
    message: `There is no pricing engine of version "${version}" in this release.`,
  });
}
