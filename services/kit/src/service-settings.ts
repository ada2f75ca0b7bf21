import { flag, oneOf, port, postgresUrl, secret, text, wholeNumber } from './config.ts';
import { telemetrySettings } from './telemetry/settings.ts';
import { tlsFolder } from './tls-files.ts';

/** Settings that every service has. */
export const serviceSettings = {
  listenHost: text('LISTEN_HOST', { doc: 'Address to listen on.', fallback: '0.0.0.0' }),
  rpcPort: port('RPC_PORT', {
    doc: 'Port of the internal gRPC listener, with health and reflection.',
    fallback: '9090',
  }),
  rpcTlsDir: tlsFolder('RPC_TLS_DIR', {
    doc: 'Folder with `tls.crt`, `tls.key` and `ca.crt`, with which calls between services are encrypted and both sides prove who they are; read again while the service runs. Without it calls are not encrypted.',
  }),
  connectionAgeMs: wholeNumber('CONNECTION_AGE_MS', {
    doc: "How long a caller's connection is used at most, gRPC and HTTP, in milliseconds, give or take a tenth: after it, calls are spread over new replicas too.",
    min: 1_000,
    max: 86_400_000,
    fallback: '300000',
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
  databaseUrl: postgresUrl('DATABASE_URL', { doc: "The service's own PostgreSQL database." }),
  databasePoolSize: wholeNumber('DATABASE_POOL_SIZE', {
    doc: 'Most connections of this process to its database for requests; whoever finds none free waits up to two seconds for one. Background jobs have a few of their own, and the look at its health has one.',
    min: 1,
    max: 1_000,
    fallback: '10',
  }),
  migrateOnStart: flag('MIGRATE_ON_START', { doc: 'Bring the schema up to date before serving.', fallback: 'false' }),
};

/** Settings of a process that runs a service: what `runService` reads beside the service's own. */
export const processSettings = {
  operationsPort: port('OPERATIONS_PORT', {
    doc: 'Port for those who run the service, never for the public: probes (/livez, /startupz, /readyz) and metrics for Prometheus (/metrics).',
    fallback: '9464',
  }),
  shutdownDelayMs: wholeNumber('SHUTDOWN_DELAY_MS', {
    doc: 'How long a service that was told to stop still takes requests, in milliseconds, while whoever sends them notices that it is not ready.',
    min: 0,
    max: 120_000,
    fallback: '5000',
  }),
  shutdownTimeoutMs: wholeNumber('SHUTDOWN_TIMEOUT_MS', {
    doc: 'How long stopping may take in all, in milliseconds; what is not done then is cut off. Less than what the platform waits.',
    min: 1_000,
    max: 600_000,
    fallback: '25000',
  }),
  ...telemetrySettings,
};
