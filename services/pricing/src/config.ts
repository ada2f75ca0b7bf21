import type { Config } from '@pfq/kit/config';
import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';

export const settings = { ...serviceSettings, ...databaseSettings };

export type PricingConfig = Config<typeof settings>;
