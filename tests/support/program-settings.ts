import type { Settings } from '@pfq/kit/config';
import { migrationSettings as schemaSettings } from '@pfq/kit/schema-settings';
import { processSettings } from '@pfq/kit/service-settings';
import * as application from '../../services/application/src/config.ts';
import { settings as gateway } from '../../services/gateway/src/config.ts';
import { settings as hostedPage } from '../../services/hosted-page/src/config.ts';
import * as notification from '../../services/notification/src/config.ts';
import { settings as pricing } from '../../services/pricing/src/config.ts';
import * as quoteStore from '../../services/quote-store/src/config.ts';

/** What each program of the image reads that a container runs, by the name that the container has in compose and chart. */
export const PROGRAM_SETTINGS: Readonly<Record<string, Settings>> = {
  gateway: { ...gateway, ...processSettings },
  pricing: { ...pricing, ...processSettings },
  'quote-store': { ...quoteStore.settings, ...processSettings },
  application: { ...application.settings, ...processSettings },
  notification: { ...notification.settings, ...processSettings },
  'hosted-page': { ...hostedPage, ...processSettings },
  'migrate-gateway': schemaSettings,
  'migrate-pricing': schemaSettings,
  'migrate-quote-store': quoteStore.migrationSettings,
  'migrate-application': application.migrationSettings,
  'migrate-notification': notification.migrationSettings,
};
