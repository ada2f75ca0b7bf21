import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate as generateProtos } from './proto/generate.ts';
import type { Setting, Settings } from './services/kit/src/config.ts';
import { settings as gateway } from './services/gateway/src/config.ts';
import { settings as pricing } from './services/pricing/src/config.ts';
import { settings as quoteStore } from './services/quote-store/src/config.ts';

const SERVICES: Readonly<Record<string, Settings>> = { gateway, pricing, 'quote-store': quoteStore };

/** Writes every generated file of the project: the protos' code and the table of settings. */
export async function generate({ protoDir, settingsFile }: { protoDir: string; settingsFile: string }): Promise<void> {
  await generateProtos(protoDir);
  writeFileSync(settingsFile, settingsTable());
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
    '',
  ];
  return [...intro, ...sections].join('\n');
}

function settingRow({ variable, fallback, secret, doc }: Setting<unknown>): string {
  return `| \`${variable}\`${secret ? ' *' : ''} | ${fallback === undefined ? 'must be set' : `\`${fallback}\``} | ${doc} |`;
}

if (import.meta.main) {
  const at = (file: string) => path.join(import.meta.dirname, file);
  await generate({ protoDir: at('proto/gen'), settingsFile: at('docs/settings.md') });
}
