import { flag, oneOf, port, secret, text, url } from './config.ts';

/** Settings that every service has. */
export const serviceSettings = {
  listenHost: text('LISTEN_HOST', { doc: 'Address to listen on.', fallback: '0.0.0.0' }),
  rpcPort: port('RPC_PORT', {
    doc: 'Port of the internal gRPC listener, with health and reflection.',
    fallback: '9090',
  }),
  operatorToken: secret('OPERATOR_TOKEN', {
    doc: 'Credential that the operator command must present to admin RPCs.',
    minLength: 32,
  }),
  logLevel: oneOf('LOG_LEVEL', {
    doc: 'Least severe log lines to write.',
    choices: ['debug', 'info', 'warn', 'error'],
    fallback: 'info',
  }),
  logFormat: oneOf('LOG_FORMAT', {
    doc: 'JSON lines, or lines for people.',
    choices: ['json', 'pretty'],
    fallback: 'json',
  }),
};

/** Settings of a service that keeps state in PostgreSQL. */
export const databaseSettings = {
  databaseUrl: url('DATABASE_URL', {
    doc: "The service's own PostgreSQL database.",
    schemes: ['postgres', 'postgresql'],
  }),
  migrateOnStart: flag('MIGRATE_ON_START', { doc: 'Bring the schema up to date before serving.', fallback: 'false' }),
};
