import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';
import type { Config } from '@pfq/kit/config';

export const settings = { ...serviceSettings, ...databaseSettings };

export type QuoteStoreConfig = Config<typeof settings>;
