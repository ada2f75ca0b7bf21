import type { Command } from 'commander';
import { parseCarriers } from '../carriers-file.ts';
import { readText } from '../files.ts';
import { answerChange, answerList } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

const LIST_COLUMNS = ['name', 'naic_code', 'am_best_id', 'rating'];

export function addCarriersCommands(program: Command, context: Context): void {
  const carriers = addNoun(program, 'carriers', 'the directory of insurers and their AM Best ratings');

  addVerb(carriers, {
    usage: 'load <file>',
    summary: 'replace the whole directory with a CSV file, from the next quote on',
    example: 'load carriers.csv',
  })
    .addHelpText(
      'after',
      '\nThe file, where codes and rating may be empty:\n' +
        '  name,naic_code,am_best_id,rating\n' +
        '  Testbed A-Minus Mutual,00004,999904,A-',
    )
    .action(
      answering(context, async (file: string) => {
        const rows = parseCarriers(await readText(context.resolvePath(file)), file);
        const { pricing } = await context.clients();
        context.showProgress(`${rows.length} carriers are on their way`);
        const { version, carriers: count } = await pricing.loadCarriers({ carriers: rows });
        return answerChange(
          { version, carriers: count },
          `Directory ${version} with ${count} carriers is loaded and rates the next quote.`,
        );
      }),
    );

  const find = addVerb(carriers, {
    usage: 'find <name>',
    summary: 'look carriers up by part of their name, NAIC code or AM Best number; at most 50',
    example: 'find "fire insurance"',
  });
  find.action(
    answering(context, async (query: string) => {
      if (query.trim() === '') return find.error('error: say a part of the name, NAIC code or AM Best number');
      const { pricing } = await context.clients();
      const { carriers: found, hasMore } = await pricing.findCarriers({ query });
      const rows = found.map(({ name, naicCode, amBestId, rating }) => {
        return { name, naic_code: naicCode || null, am_best_id: amBestId || null, rating: rating || null };
      });
      const { json, text } = answerList(rows, LIST_COLUMNS);
      if (!hasMore) return { json, text };
      return { json, text: `${text}There are more: name a larger part.\n` };
    }),
  );
}
