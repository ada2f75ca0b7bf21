import { consume } from '@pfq/kit/events';
import type { KafkaAddress } from '@pfq/kit/events-url';
import type { Logger } from '@pfq/kit/log';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';
import { decodeEvent, traceOf } from './events/read-event.ts';

/** Both name the service at the broker; the group remembers how far it has read. */
const NAME = 'notification';

type Parts = { readonly accept: (event: Event) => Promise<void>; readonly logger: Logger };

export function consumeEvents(kafka: KafkaAddress, { accept, logger }: Parts): Promise<{ stop(): Promise<void> }> {
  const handle = (value: Uint8Array) => accept(decodeEvent(value));
  return consume(kafka, { clientId: NAME, groupId: NAME, topic: INTEREST_EXPRESSED, handle, traceOf, logger });
}
