import type { Command } from 'commander';
import { readText } from '../files.ts';
import { isRecord, parseJson } from '../json.ts';
import { answerChange, formatFields, formatRows, type Answer } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

export function addRatesCommands(program: Command, context: Context): void {
  const rates = addNoun(program, 'rates', 'the rate sheet: what money costs by how long it is lent');

  addVerb(rates, {
    usage: 'load <file>',
    summary: 'load a rate sheet, which prices from the next quote on',
    example: 'load rates.json',
  })
    .addHelpText(
      'after',
      '\nThe file, with a fraction for each number of months:\n' +
        '  { "as_of": "2026-11-20", "source": "treasury desk", "rates": { "1": 0.0400, "12": 0.0410 } }',
    )
    .action(
      answering(context, async (file: string) => {
        const json = await readText(context.resolvePath(file));
        const sheet = parseJson(json, file);
        const { pricing } = await context.clients();
        context.showProgress(`${countRates(sheet)} rates are on their way`);
        const { version } = await pricing.loadRateSheet({ json });
        return answerChange({ version }, `Rate sheet ${version} is loaded and prices the next quote.`);
      }),
    );

  addVerb(rates, {
    usage: 'show',
    summary: 'show the newest rate sheet; with --json as `rates load` reads it',
    example: 'show --json > rates.json',
  }).action(
    answering(context, async () => {
      const { pricing } = await context.clients();
      const { version, json } = await pricing.getRateSheet({});
      return { json: `${json.trimEnd()}\n`, text: formatSheet(json, version) } satisfies Answer;
    }),
  );
}

function countRates(sheet: unknown): number {
  const { rates } = isRecord(sheet) ? sheet : {};
  return isRecord(rates) ? Object.keys(rates).length : 0;
}

function formatSheet(json: string, version: number): string {
  const sheet: unknown = JSON.parse(json);
  const { as_of: asOf, source, rates } = isRecord(sheet) ? sheet : {};
  const tenors = Object.entries(isRecord(rates) ? rates : {}).map(([months, rate]) => {
    return { months: Number(months), rate: String(rate) };
  });
  const head = formatFields({ version, as_of: String(asOf), source: String(source) });
  return `${head}\n${formatRows(tenors, ['months', 'rate'])}`;
}
