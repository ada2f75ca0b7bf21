import type { Agency } from '@pfq/proto/gateway/v1/admin_pb';
import type { Command } from 'commander';
import { present } from '../failure.ts';
import { answerList, answerObject, toIsoTime, type Row } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { parseSwitch } from '../words.ts';

const LIST_COLUMNS = ['id', 'name', 'live_enabled', 'test_enabled', 'created_at'];

export function addAgencyCommands(program: Command, context: Context): void {
  const agency = addNoun(program, 'agency', 'insurance agencies and their switches');

  addVerb(agency, {
    usage: 'create',
    summary: 'register an agency, with live access and test mode off',
    example: 'create --name "Lone Star Insurance"',
  })
    .requiredOption('--name <name>', 'name for people')
    .action(
      answering(context, async ({ name }: { name: string }) => {
        const { agencies } = await context.clients();
        const { agency: created } = await agencies.createAgency({ name });
        return answerObject(toRow(present(created)));
      }),
    );

  addVerb(agency, { usage: 'list', summary: 'list every agency, oldest first', example: 'list --json' }).action(
    answering(context, async () => {
      const { agencies } = await context.clients();
      const { agencies: all } = await agencies.listAgencies({});
      return answerList(all.map(toRow), LIST_COLUMNS);
    }),
  );

  const verb = addVerb(agency, {
    usage: 'switch <id>',
    summary: 'turn live access or test mode on or off, from the next request on',
    example: 'switch agy_0UzKdPq3aXb81Lm2RtWc9Z --live on --test off',
  })
    .option('--live <on|off>', 'whether live keys work', parseSwitch)
    .option('--test <on|off>', 'whether test keys work', parseSwitch);
  verb.action(
    answering(context, async (id: string, { live, test }: { live?: boolean; test?: boolean }) => {
      if (live === undefined && test === undefined)
        return verb.error('error: say --live on|off, --test on|off or both');
      const { agencies } = await context.clients();
      const { agency: switched } = await agencies.switchAgency({
        agencyId: id,
        ...(live !== undefined && { liveEnabled: live }),
        ...(test !== undefined && { testEnabled: test }),
      });
      return answerObject(toRow(present(switched)));
    }),
  );
}

function toRow(agency: Agency): Row {
  return {
    id: agency.id,
    name: agency.name,
    live_enabled: agency.liveEnabled,
    test_enabled: agency.testEnabled,
    created_at: toIsoTime(agency.createdAt),
  };
}
