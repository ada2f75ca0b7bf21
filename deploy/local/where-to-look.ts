import { exampleRequest } from './example-request.ts';
import type { StackFile } from './stack.ts';

type Start = {
  readonly elapsedMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

const NAME_WIDTH = 'notification'.length;

/** What whoever started a stack gets to read once it is ready. Every command works as it is printed. */
export function whereToLook(file: StackFile, { elapsedMs, environment }: Start): readonly string[] {
  const { PFQ_LOCAL_DIR: folder, OTEL_EXPORTER_OTLP_ENDPOINT: collector } = environment;
  // Goes before commands, so that they are about this stack where its data is not where it is looked for by itself.
  const here = folder ? `PFQ_LOCAL_DIR='${folder}' ` : '';
  return [
    `ready in ${(elapsedMs / 1000).toFixed(1)} s`,
    '',
    ...pages(file),
    '',
    'How each service is (/readyz) and what it counts (/metrics, for Prometheus):',
    '',
    ...Object.entries(file.operations).map(([name, url]) => inColumns(name, `${url}/readyz  ${url}/metrics`)),
    '',
    collector
      ? `Traces and metrics go to ${collector}.`
      : `Traces need a collector: OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 ${here}npm start`,
    '',
    ...invitation(file),
    'Be the operator, who sees what became of a request, an email or a change:',
    '',
    ...commands(file).map((command) => `  ${here}npx pfq ${command}`),
    '',
    'Price a deal:',
    '',
    `  curl -sS ${file.gateway_url}/v1/quotes -H 'Authorization: Bearer ${file.keys.test}' \\`,
    `    -H 'Content-Type: application/json' -d '${JSON.stringify(exampleRequest(new Date()))}'`,
    '',
    'List the applications of the demo agency, which live keys alone can see:',
    '',
    `  curl -sS '${file.gateway_url}/v1/applications?limit=3' -H 'Authorization: Bearer ${file.keys.live}'`,
    '',
    `Ctrl-C stops everything. The data stays; \`${here}npm run reset\` removes it.`,
  ];
}

function pages(file: StackFile): readonly string[] {
  const { live, test } = file.demo_quotes;
  return [
    inColumns('API', `${file.gateway_url}/v1`),
    inColumns('docs', file.docs_url),
    inColumns('runbooks', `${file.docs_url}/runbooks`),
    ...(live ? [inColumns('hosted page', live.hosted_url)] : []),
    ...(test ? [inColumns('in test mode', test.hosted_url)] : []),
    inColumns('mail page', file.mail_url),
    inColumns('PostgreSQL', file.postgres_url),
    inColumns('test key', file.keys.test),
  ];
}

function invitation({ demo_quotes: { live } }: StackFile): readonly string[] {
  if (live === null) return [];
  return [
    'Be the insured: open the hosted page, choose, say that you are interested, and find the email to the broker on the mail page.',
    '',
  ];
}

function commands({ agency_id: agency, demo_quotes: { live, test } }: StackFile): readonly string[] {
  const demo = live ?? test;
  return [
    ...(demo ? [`request show ${demo.request_id}`, `quote verify ${demo.id}`] : []),
    'mail list',
    'audit list --limit 5',
    `broker list --agency ${agency}`,
  ];
}

function inColumns(name: string, what: string): string {
  return `  ${name.padEnd(NAME_WIDTH)} ${what}`;
}
