import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate as generateProtos } from './proto/generate.ts';
import { settings as application } from './services/application/src/config.ts';
import type { Setting, Settings } from './services/kit/src/config.ts';
import { settings as gateway } from './services/gateway/src/config.ts';
import { openApiDocument } from './services/gateway/src/openapi/document.ts';
import { settings as pricing } from './services/pricing/src/config.ts';
import { SETTINGS, toFieldName } from './services/pricing/src/domain/settings.ts';
import { settings as quoteStore } from './services/quote-store/src/config.ts';
import { exampleApplicationsFile } from './tests/support/example-applications.ts';

const SERVICES: Readonly<Record<string, Settings>> = {
  gateway,
  pricing,
  'quote-store': quoteStore,
  application,
};

/** Where the committed document says that the API and its documentation are; a gateway serves it with its own addresses. */
const PUBLISHED = { serverUrl: '/', docsUrl: 'https://api.example/docs' };

/** Writes every generated file of the project under `root`: the protos' code, the tables of settings, the OpenAPI document, the example applications. */
export async function generate(root: string): Promise<void> {
  const docs = path.join(root, 'docs');
  mkdirSync(docs, { recursive: true });
  await generateProtos(path.join(root, 'proto/gen'));
  writeFileSync(path.join(docs, 'settings.md'), settingsTable());
  writeFileSync(path.join(docs, 'pricing-settings.md'), pricingSettingsTable());
  const examples = path.join(root, 'tests/examples');
  mkdirSync(examples, { recursive: true });
  writeFileSync(path.join(examples, 'applications.ndjson'), exampleApplicationsFile());
  writeFileSync(path.join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument(PUBLISHED), null, 2)}\n`);
}

function settingsTable(): string {
  const sections = Object.entries(SERVICES).map(([service, settings]) => {
    const rows = Object.values(settings).map(settingRow);
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
  return [...intro, ...sections].join('\n');
}

function settingRow({ variable, fallback, secret, doc }: Setting<unknown>): string {
  return `| \`${variable}\`${secret ? ' *' : ''} | ${fallback === undefined ? 'must be set' : `\`${fallback}\``} | ${doc} |`;
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

if (import.meta.main) await generate(import.meta.dirname);
