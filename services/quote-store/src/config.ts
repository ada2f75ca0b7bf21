import { eventsUrl } from '@pfq/kit/events-url';
import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';
import type { Config } from '@pfq/kit/config';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  eventsUrl: eventsUrl('EVENTS_URL', {
    doc: "Where responses of insureds are told of: Kafka, or the notification service's gRPC listener where there is none. With Kafka and `MIGRATE_ON_START`, topics that are missing are made.",
    schemes: ['kafka', 'grpc'],
  }),
};

export type QuoteStoreConfig = Config<typeof settings>;
