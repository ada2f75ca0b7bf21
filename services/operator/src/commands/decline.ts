import { DeclinedKind } from '@pfq/proto/pricing/v1/admin_pb';
import { Argument, type Command } from 'commander';
import { answerObject } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

const KINDS = { issuer: DeclinedKind.ISSUER, coverage: DeclinedKind.COVERAGE } as const;

const CHANGES = [
  {
    verb: 'add',
    declined: true,
    summary: 'decline a carrier or a coverage type, from the next quote on',
    example: 'add coverage medical_malpractice',
  },
  {
    verb: 'remove',
    declined: false,
    summary: 'accept a declined carrier or coverage type again',
    example: 'remove issuer "Testbed B-Plus Mutual"',
  },
];

export function addDeclineCommands(program: Command, context: Context): void {
  const decline = addNoun(program, 'decline', 'carriers and coverage types that are not financed');

  for (const { verb, declined, summary, example } of CHANGES) {
    addVerb(decline, { usage: verb, summary, example })
      .addArgument(new Argument('<kind>', 'which list').choices(Object.keys(KINDS)))
      .argument('<value>', 'a carrier by name, or a coverage type such as liquor_liability')
      .action(
        answering(context, async (kind: keyof typeof KINDS, value: string) => {
          const { pricing } = await context.clients();
          const changed = await pricing.changeDeclined({ kind: KINDS[kind], value, declined });
          const { version, issuers, coverages } = changed;
          return answerObject({ version, issuers, coverages });
        }),
      );
  }
}
