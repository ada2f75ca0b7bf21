import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateObservability } from './deploy/observability/generate.ts';
import { generate as generateProtos } from './proto/generate.ts';
import { generateChartFiles } from './helm/generate-files.ts';
import { generateChartReadme } from './helm/generate.ts';
import { EVENT_TOPICS, type Topic } from './proto/topics.ts';
import { settings as application } from './services/application/src/config.ts';
import type { Setting, Settings } from './services/kit/src/config.ts';
import { settings as gateway } from './services/gateway/src/config.ts';
import { openApiDocument } from './services/gateway/src/openapi/document.ts';
import { settings as hostedPage } from './services/hosted-page/src/config.ts';
import { settings as notification } from './services/notification/src/config.ts';
import { settings as pricing } from './services/pricing/src/config.ts';
import { SETTINGS, toFieldName } from './services/pricing/src/domain/settings.ts';
import { processSettings } from './services/kit/src/service-settings.ts';
import { telemetryPage } from './services/kit/src/telemetry/telemetry-page.ts';
import { migrationSettings, settings as quoteStore } from './services/quote-store/src/config.ts';
import { writeReference } from './services/operator/src/reference.ts';
import { exampleApplicationsFile } from './tests/support/example-applications.ts';

const SERVICES: Readonly<Record<string, Settings>> = {
  gateway,
  pricing,
  'quote-store': quoteStore,
  application,
  'hosted-page': hostedPage,
  notification,
};

/** Where the committed document says that the API and its documentation are; a gateway serves it with its own addresses. */
const PUBLISHED = { serverUrl: '/', docsUrl: 'https://api.example/docs' };

/** Writes every generated file of the project under `root`: the protos' code, the tables of settings, topics, attributes and metrics, the page about `pfq`, the OpenAPI document, the example applications, alerts and dashboards, and what the chart holds of them. */
export async function generate(root: string): Promise<void> {
  const docs = path.join(root, 'docs');
  mkdirSync(docs, { recursive: true });
  await generateProtos(path.join(root, 'proto/gen'));
  writeFileSync(path.join(docs, 'settings.md'), settingsTable());
  writeFileSync(path.join(docs, 'pricing-settings.md'), pricingSettingsTable());
  writeFileSync(path.join(docs, 'events.md'), eventsPage());
  writeFileSync(path.join(docs, 'telemetry.md'), telemetryPage());
  writeFileSync(path.join(docs, 'pfq.md'), writeReference());
  const examples = path.join(root, 'tests/examples');
  mkdirSync(examples, { recursive: true });
  writeFileSync(path.join(examples, 'applications.ndjson'), exampleApplicationsFile());
  generateObservability(path.join(root, 'deploy/observability'));
  generateChartFiles(path.join(root, 'helm/pfq/files'));
  generateChartReadme(path.join(root, 'helm/pfq'));
  writeFileSync(path.join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument(PUBLISHED), null, 2)}\n`);
}

function settingsTable(): string {
  const sections = Object.entries(SERVICES).map(([service, settings]) => {
    const rows = Object.values({ ...settings, ...processSettings }).map(settingRow);
    return [`## ${service}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
  });
  const intro = [
    '# Settings',
    '',
    'Every service reads its settings from environment variables when it starts, and lists all problems at once.',
    'A variable marked with * may instead be the path of a file, in `<VARIABLE>_FILE`. Written by `npm run generate`.',
    'What a price is made of is set while the services run: [pricing settings](pricing-settings.md).',
    '',
  ];
  const migrations = [
    '## Migrations',
    '',
    'Of `src/migrate.ts`, which every service with a database has; `EVENTS_URL` is read by those of quote-store and notification.',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...Object.values(migrationSettings).map(settingRow),
    '',
  ];
  return [...intro, ...sections, ...migrations].join('\n');
}

function settingRow({ variable, fallback, secret, doc }: Setting<unknown>): string {
  return `| \`${variable}\`${secret ? ' *' : ''} | ${shownFallback(fallback)} | ${doc} |`;
}

function shownFallback(fallback: string | undefined): string {
  if (fallback === undefined) return 'must be set';
  return fallback === '' ? 'none' : `\`${fallback}\``;
}

function pricingSettingsTable(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, { initial, meaning }]) => `| \`${toFieldName(name)}\` | \`${initial}\` | ${meaning} |`,
  );
  const intro = [
    '# Pricing settings',
    '',
    'Every constant of the pricing model, as `npx pfq settings show --json` prints it and `npx pfq settings set FILE` reads it.',
    'Each change is a new version that prices from the next quote on; a quote keeps the version it was priced under.',
    'Rates are fractions: `0.25` is 25 %. Written by `npm run generate`.',
    '',
  ];
  return [...intro, '| Setting | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

const DAY_MS = 86_400_000;

function eventsPage(): string {
  const topics = EVENT_TOPICS.flatMap((topic) => [topic, topic.deadLetter]).map(topicRow);
  return `# Events

What services tell each other after it happened goes over Kafka where \`EVENTS_URL\` is \`kafka://…\` or \`kafkas://…\`, and straight to
the service that wants it where it is \`grpc://…\`. Written by \`npm run generate\`.

| Topic | Partitions | Kept | \`max.message.bytes\` | Holds |
|---|---|---|---|---|
${topics.join('\n')}

The platform makes the topics, with as many copies as it keeps of anything it must not lose (three, two of them in sync).
The migrations of quote-store and notification, and services whose \`MIGRATE_ON_START\` is true, make those that are missing, in the
broker's usual number of copies, and leave those that are there as they are. A consumer whose topic is missing waits for it.

Each topic has \`compression.type=gzip\`, the only compression that consumers read: the broker then turns into it whatever a producer
sends. Where a topic was made otherwise and holds a record in snappy, lz4 or zstd, a consumer that comes to it stops with all its
partitions, says so in the log ("compression not implemented") and tries again every five seconds, until the record is gone by age or
the group's offset is moved past it: alert on the group's lag. A dead letter's topic takes larger records than its topic, because a
record grows on the way.

## The envelope

The value of a record is a \`pfq.common.v1.Event\` in protobuf's binary form, whatever its topic: who it is (\`event_id\`), what happened
(\`type\`, the topic's name) and when, the version of the payload's schema, the request that made it happen with its trace context, and
the payload. Its fields are described in \`proto/pfq/common/v1/event.proto\`.

## What a publisher does

It writes a job in the transaction that makes the event true, and the job publishes: with the acknowledgement of every replica in
sync, and again until it has that. So every event arrives at least once, also one that happened while Kafka was away.

## What a consumer must do

- Know events by \`event_id\` and keep those it has handled: the same event can come again, from Kafka or by RPC.
- Rely on order within one key only.
- Finish with an event before it takes the next of that partition. Its offset is committed then, so one that was under way when
  the consumer ended comes again.
- Throw \`UnreadableEvent\` for what it will never understand, such as a newer schema version. The record then goes to the dead letter,
  byte for byte with its key and headers, and to these are added \`pfq-reason\`, \`pfq-topic\`, \`pfq-partition\`, \`pfq-offset\` and
  \`pfq-set-aside-at\`. A line is logged at error, and the next record is handled. Where even the dead letter's topic takes no record of
  that size, the letter has these headers, \`pfq-value-bytes\` and \`pfq-value-sha256\` in place of the value and the record's own headers,
  and the key where it has 1,024 bytes or fewer.
- Throw anything else for what may go well later. The event comes again after half a second, then after twice as long each time, up
  to 15 seconds, for ever; the events behind it in its partition wait, those of other partitions do not.

## Dead letters

Each one is an event that did not have its effect: alert on the topic's growth. Once the consumer understands it, publish the record's
key and value to \`pfq-topic\` again. Of one without its value the original is in \`pfq-topic\`, at its place, as long as that topic keeps it.
`;
}

function topicRow({ name, partitions, retentionMs, maxMessageBytes, holds }: Topic): string {
  return `| \`${name}\` | ${partitions} | ${retentionMs / DAY_MS} days | ${maxMessageBytes} | ${holds} |`;
}

if (import.meta.main) await generate(import.meta.dirname);
