import { eventsUrl } from '@pfq/kit/events-url';
import { migrationSettings as schemaSettings } from '@pfq/kit/schema-settings';
import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';
import { optional } from '@pfq/kit/config';
import type { Config } from '@pfq/kit/config';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  eventsUrl: eventsUrl('EVENTS_URL', {
    doc: "Where responses of insureds are told of: Kafka, or the notification service's gRPC listener where there is none. With Kafka and `MIGRATE_ON_START`, topics that are missing are made.",
    schemes: ['kafka', 'grpc'],
  }),
};

/** Of the program that brings its schema up to date. */
export const migrationSettings = {
  ...schemaSettings,
  eventsUrl: optional(
    eventsUrl('EVENTS_URL', {
      doc: 'Kafka, where topics that are missing are to be made; with grpc://…, which only quote-store may have, there are none to make.',
      schemes: ['kafka', 'grpc'],
    }),
  ),
};

export type QuoteStoreConfig = Config<typeof settings>;
