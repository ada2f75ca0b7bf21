import type { Command } from 'commander';
import { readText } from '../files.ts';
import { flatten, parseJson } from '../json.ts';
import { answerChange, formatFields } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

export function addSettingsCommands(program: Command, context: Context): void {
  const settings = addNoun(program, 'settings', 'the constants of the pricing model');

  addVerb(settings, {
    usage: 'show',
    summary: 'show the pricing settings; with --json as `settings set` reads them',
    example: 'show --json > settings.json',
  }).action(
    answering(context, async () => {
      const { pricing } = await context.clients();
      const { version, json } = await pricing.getSettings({});
      const values = flatten(JSON.parse(json));
      return { json: `${json.trimEnd()}\n`, text: formatFields({ version, ...values }) };
    }),
  );

  addVerb(settings, {
    usage: 'set <file>',
    summary: 'replace every pricing setting, from the next quote on',
    example: 'set settings.json',
  }).action(
    answering(context, async (file: string) => {
      const json = await readText(context.resolvePath(file));
      parseJson(json, file);
      const { pricing } = await context.clients();
      const { version } = await pricing.setSettings({ json });
      return answerChange({ version }, `Settings ${version} are stored and price the next quote.`);
    }),
  );
}
