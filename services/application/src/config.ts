import { url } from '@pfq/kit/config';
import type { Config, Setting } from '@pfq/kit/config';
import { isMongoUrl } from '@pfq/kit/mongo';
import { migrationSettings as schemaSettings } from '@pfq/kit/schema-settings';
import { databaseSettings, serviceSettings } from '@pfq/kit/service-settings';

/** Hosts, of which there may be several, and the name of a database, for which the driver would else choose one. */
const WHOLE_MONGODB = /^mongodb(?:\+srv)?:\/\/[^/?]+\/[^/?]+/;

/** Reads all but addresses of MongoDB, which are no URLs where they name several hosts. */
const eitherUrl = url('DATABASE_URL', {
  doc: "The service's own database: postgres://… for PostgreSQL, mongodb://… or mongodb+srv://… for MongoDB.",
  schemes: ['postgres', 'postgresql', 'mongodb', 'mongodb+srv'],
});

const databaseUrl: Setting<string> = {
  ...eitherUrl,
  parse(given) {
    if (!isMongoUrl(given)) return databaseSettings.databaseUrl.parse(eitherUrl.parse(given));
    if (!WHOLE_MONGODB.test(given))
      throw new Error('must name hosts and a database, as in mongodb://host:27017/application');
    return given;
  },
};

export const settings = { ...serviceSettings, ...databaseSettings, databaseUrl };

/** Of the program that brings its schema up to date. */
export const migrationSettings = { ...schemaSettings, databaseUrl };

export type ApplicationConfig = Config<typeof settings>;
