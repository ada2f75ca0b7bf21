import { grpcUrl, optional, publicUrl, wholeNumber } from '@pfq/kit/config';
import type { Config } from '@pfq/kit/config';
import { eventsUrl } from '@pfq/kit/events-url';
import { mailSettings } from '@pfq/kit/mail';
import { migrationSettings as schemaSettings } from '@pfq/kit/schema-settings';
import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...mailSettings,
  eventsUrl: optional(
    eventsUrl('EVENTS_URL', {
      doc: 'Kafka, where it is to be told of responses; without one it is told by RPC only.',
      schemes: ['kafka'],
    }),
  ),
  quoteStoreUrl: grpcUrl('QUOTE_STORE_URL', { doc: 'Address of the quote store, grpc://host:port.' }),
  portalUrl: publicUrl('PORTAL_URL', {
    doc: 'Public base address of the broker portal; emails link to {base}/quotes/{quote id}.',
  }),
  mailGiveUpAfterHours: wholeNumber('MAIL_GIVE_UP_AFTER_HOURS', {
    doc: 'How long an email that no mail server takes is tried before it has failed.',
    min: 1,
    max: 720,
    fallback: '48',
  }),
};

/** Of the program that brings its schema up to date. */
export const migrationSettings = {
  ...schemaSettings,
  eventsUrl: optional(
    eventsUrl('EVENTS_URL', { doc: 'Kafka, where topics that are missing are to be made.', schemes: ['kafka'] }),
  ),
};

export type NotificationConfig = Config<typeof settings>;
