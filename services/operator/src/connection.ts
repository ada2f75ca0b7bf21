import { readConfig, secret, url } from '@pfq/kit/config';
import type { Config, Environment } from '@pfq/kit/config';
import { tlsFolder } from '@pfq/kit/tls-files';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommandFailure } from './failure.ts';
import { readText } from './files.ts';
import { isRecord, parseJson } from './json.ts';

const SETTINGS = {
  gatewayUrl: url('PFQ_OPERATOR_GATEWAY_URL', {
    doc: "Where the gateway's operator API is, grpc://host:port.",
    schemes: ['grpc'],
  }),
  pricingUrl: url('PFQ_OPERATOR_PRICING_URL', {
    doc: 'Where the pricing service is, grpc://host:port.',
    schemes: ['grpc'],
  }),
  applicationUrl: url('PFQ_OPERATOR_APPLICATION_URL', {
    doc: 'Where the application service is, grpc://host:port.',
    schemes: ['grpc'],
  }),
  notificationUrl: url('PFQ_OPERATOR_NOTIFICATION_URL', {
    doc: 'Where the notification service is, grpc://host:port.',
    schemes: ['grpc'],
  }),
  token: secret('PFQ_OPERATOR_TOKEN', { doc: 'The token that the services know the operator by.', minLength: 1 }),
  tlsDir: tlsFolder('PFQ_OPERATOR_TLS_DIR', {
    doc: 'Folder with tls.crt, tls.key and ca.crt, where the services demand a certificate.',
  }),
};

/** Where the services are, as `grpc://host:port`, what they know the operator by, and certificates or null. */
export type Connection = Config<typeof SETTINGS>;

export type Place = {
  readonly environment: Environment;
  readonly workingFolder: string;
  /** What PFQ_LOCAL_DIR counts from, here as in `npm start`. */
  readonly projectFolder: string;
};

/**
 * Takes PFQ_OPERATOR_* if any of them is set, never mixed with a local stack; else the local stack of PFQ_LOCAL_DIR,
 * else that of the nearest `.local` upwards. Throws a ConfigError or a CommandFailure.
 */
export async function findConnection({ environment, workingFolder, projectFolder }: Place): Promise<Connection> {
  const variables = Object.values(SETTINGS).flatMap(({ variable }) => [variable, `${variable}_FILE`]);
  if (variables.some((variable) => environment[variable])) return readConfig(SETTINGS, environment);
  const localFolder = environment['PFQ_LOCAL_DIR'];
  const file = localFolder
    ? path.resolve(projectFolder, localFolder, 'stack.json')
    : findUpwards(workingFolder, '.local/stack.json');
  if (file === undefined || !existsSync(file)) {
    const needed = Object.values(SETTINGS).filter(({ fallback }) => fallback === undefined);
    const names = needed.map(({ variable }) => variable);
    throw new CommandFailure(
      `no local stack ${localFolder ? `in ${path.dirname(String(file))}` : 'was found here'}: run \`npm start\`, ` +
        `or set ${names.join(', ')}.`,
    );
  }
  return readStack(file);
}

async function readStack(file: string): Promise<Connection> {
  const stack = parseJson(await readText(file), file);
  const operator = isRecord(stack) ? stack['operator'] : undefined;
  if (isRecord(operator)) {
    const {
      gateway_url: gatewayUrl,
      pricing_url: pricingUrl,
      application_url: applicationUrl,
      notification_url: notificationUrl,
      token,
    } = operator;
    if (
      isText(gatewayUrl) &&
      isText(pricingUrl) &&
      isText(applicationUrl) &&
      isText(notificationUrl) &&
      isText(token)
    ) {
      return { gatewayUrl, pricingUrl, applicationUrl, notificationUrl, token, tlsDir: null };
    }
  }
  throw new CommandFailure(
    `${file} does not say where every service is, as if an older version had written it: stop the stack, ` +
      'then run `npm start`.',
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function findUpwards(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const file = path.join(folder, name);
    if (existsSync(file)) return file;
    if (folder === path.dirname(folder)) return undefined;
  }
}
