import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeDemoQuotes, type DemoQuotes } from '../local/demo-quotes.ts';
import { exampleRequest } from '../local/example-request.ts';
import { Problem } from '../local/problem.ts';
import { seedDemo, type Demo } from '../local/seed.ts';

/** The services as compose.yaml calls them, and as whoever sits before the machine does. */
const INSIDE = { gateway: 'http://gateway:8080', hostedPage: 'http://hosted-page:8080' };
const OUTSIDE = { gateway: 'http://127.0.0.1:8080', hostedPage: 'http://127.0.0.1:8081' };
const ATTEMPTS = 5;
const RETRY_AFTER_MS = 5_000;

/** The demo agency of `npm start`, made once; what it was made of is kept in the folder given. Tells where to look. */
async function seed(folder: string): Promise<readonly string[]> {
  const operator = {
    gateway_url: readVariable('PFQ_OPERATOR_GATEWAY_URL'),
    pricing_url: readVariable('PFQ_OPERATOR_PRICING_URL'),
    application_url: readVariable('PFQ_OPERATOR_APPLICATION_URL'),
    notification_url: readVariable('PFQ_OPERATOR_NOTIFICATION_URL'),
    token: readFileSync(readVariable('PFQ_OPERATOR_TOKEN_FILE'), 'utf8').trim(),
  };
  const { agency_id: agency, keys } = await seedDemo({ folder, operator });
  const { live, test } = await makeQuotes({ folder, keys });
  const page = (quote: { readonly hosted_url: string } | null) =>
    quote ? OUTSIDE.hostedPage + new URL(quote.hosted_url).pathname : 'none';
  return [
    `API           ${OUTSIDE.gateway}/v1, documentation ${OUTSIDE.gateway}/docs`,
    `hosted page   ${page(live)}, in test mode ${page(test)}`,
    'mail          http://127.0.0.1:8025',
    'dashboards    http://127.0.0.1:3000',
    'traces        http://127.0.0.1:16686',
    `demo agency   ${agency}`,
    `live key      ${keys.live}`,
    `test key      ${keys.test}`,
    '',
    `curl -sS ${OUTSIDE.gateway}/v1/quotes -H 'Authorization: Bearer ${keys.test}' \\`,
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(exampleRequest(new Date()))}'`,
  ];
}

/** One of each mode. Everything has only just started, and a small machine is busy with that: a refusal is tried again. */
async function makeQuotes(made: { readonly folder: string; readonly keys: Demo['keys'] }): Promise<DemoQuotes> {
  for (let attempt = 1; ; attempt += 1) {
    const addresses = { gatewayUrl: INSIDE.gateway, hostedUrl: INSIDE.hostedPage };
    const quotes = await makeDemoQuotes({ ...made, ...addresses, say });
    if ((quotes.live && quotes.test) || attempt === ATTEMPTS) return quotes;
    await wait(RETRY_AFTER_MS);
  }
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Problem(`${name} is not set`);
  return value;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  for (const line of await seed(path.resolve(process.argv[2] ?? '.'))) say(line);
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`seed: ${error.message}\n`);
  process.exitCode = 1;
}
