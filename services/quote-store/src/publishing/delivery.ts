import { toBinary } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import { callerHeaders } from '@pfq/kit/caller';
import type { Caller } from '@pfq/kit/caller';
import { kafkaDependency, openPublisher } from '@pfq/kit/events';
import type { EventsUrl, KafkaAddress } from '@pfq/kit/events-url';
import type { Dependency } from '@pfq/kit/health';
import type { Logger } from '@pfq/kit/log';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import { rpcDependency } from '@pfq/kit/rpc/check-health';
import type { RpcTls } from '@pfq/kit/rpc/tls';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationService } from '@pfq/proto/notification/v1/notification_pb';
import { INTEREST_EXPRESSED } from '@pfq/proto/topics';

/** Where events go. */
export type Delivery = {
  /** How whoever takes them is. */
  readonly dependency: Dependency;
  /** Returns once the event is in safe hands, and throws where it may not be: then it is to be delivered again. */
  deliver(event: Event, about: { readonly quoteId: string; readonly caller: Caller }): Promise<void>;
  close(): Promise<void>;
};

type Identity = { readonly clientId: string; readonly logger: Logger };

const RPC_TIMEOUT_MS = 5_000;

/** `tls` is for a target that is a service of ours; Kafka's is part of its address. */
export function openDelivery(
  target: EventsUrl,
  { tls, ...identity }: Identity & { readonly tls: RpcTls | null },
): Delivery {
  return target.kind === 'kafka' ? overKafka(target, identity) : overRpc(target.url, tls);
}

function overKafka(kafka: KafkaAddress, identity: Identity): Delivery {
  const publisher = openPublisher(kafka, identity);
  return {
    dependency: kafkaDependency(kafka, identity),
    async deliver(event, { quoteId }) {
      const value = toBinary(EventSchema, event);
      await publisher.publish({ topic: INTEREST_EXPRESSED.name, key: quoteId, value });
    },
    close: () => publisher.close(),
  };
}

function overRpc(url: string, tls: RpcTls | null): Delivery {
  const transport = createRpcTransport(url, tls);
  const notification = createClient(NotificationService, transport);
  return {
    dependency: rpcDependency('notification', transport),
    async deliver(event, { caller }) {
      await notification.acceptEvent({ event }, { headers: callerHeaders(caller), timeoutMs: RPC_TIMEOUT_MS });
    },
    close: async () => transport.close(),
  };
}
