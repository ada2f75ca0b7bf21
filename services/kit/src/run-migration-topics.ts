import type { EventTopic } from '@pfq/proto/topics';
import { kafkaDependency, makeTopics } from './events.ts';
import type { KafkaAddress } from './events-url.ts';
import { reasonOf } from './health-reason.ts';
import type { Logger } from './log.ts';
import { doStep, untilConnected } from './run-migration.ts';

type Migrating = {
  readonly topics: readonly EventTopic[];
  /** How long to wait for a broker. */
  readonly waitMs: number;
  readonly logger: Logger;
};

/** Makes those topics that are missing once a broker lets us in. Throws an Error that says what was not done and why. */
export async function migrateTopics(address: KafkaAddress, { topics, waitMs, logger }: Migrating): Promise<void> {
  const { check } = kafkaDependency(address, { clientId: 'pfq-topics', logger });
  await untilConnected(check, { what: 'kafka', isRefusal: isLoginRefusal, waitMs, logger });
  await doStep('the topics are not made in kafka', () => makeTopics(address, topics, logger).catch(rethrowEach));
}

/** The driver's word for a login that the broker refuses, or whose kind it does not know. */
function isLoginRefusal(error: unknown): boolean {
  return error instanceof Error && (error.name === 'KafkaJSSASLAuthenticationError' || isLoginRefusal(error.cause));
}

/** What the driver says of several topics tells neither which nor why; its parts do. */
function rethrowEach(error: unknown): never {
  if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) throw error;
  throw new Error(error.errors.map(ofTopic).join('; '));
}

function ofTopic(error: unknown): string {
  const topic = error instanceof Error && 'topic' in error ? `${String(error.topic)}: ` : '';
  return topic + reasonOf(error);
}
