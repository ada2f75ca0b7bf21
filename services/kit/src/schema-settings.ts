import { optional, postgresUrl, text, wholeNumber } from './config.ts';
import { serviceSettings } from './service-settings.ts';

/** Settings of a program that brings a service's schema up to date, and ends. */
export const migrationSettings = {
  databaseUrl: postgresUrl('DATABASE_URL', {
    doc: "The service's own PostgreSQL database, under the role that owns the schema; of application also one of MongoDB, mongodb://… or mongodb+srv://…, in which indexes are made.",
  }),
  serviceRole: optional(
    text('DATABASE_SERVICE_ROLE', {
      doc: 'PostgreSQL role that the service itself uses, where that is another: it is given what the service does, and cannot change the schema.',
    }),
  ),
  waitMs: wholeNumber('MIGRATION_WAIT_MS', {
    doc: 'How long to wait for a connection to a database or broker, in milliseconds, before the program ends with 1; of one that refuses it, nothing is waited for.',
    min: 0,
    max: 3_600_000,
    fallback: '60000',
  }),
  logLevel: serviceSettings.logLevel,
  logFormat: serviceSettings.logFormat,
};
