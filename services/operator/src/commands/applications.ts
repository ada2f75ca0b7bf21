import type { Command } from 'commander';
import { openFile } from '../files.ts';
import { importApplications } from '../import-applications.ts';
import { answerObject } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

export function addApplicationsCommands(program: Command, context: Context): void {
  const applications = addNoun(program, 'applications', 'deals that agencies carried forward in the broker portal');

  addVerb(applications, {
    usage: 'import <file>',
    summary: 'store applications as they now stand; of a file with a bad line, none',
    example: 'import applications.ndjson',
  })
    .addHelpText(
      'after',
      '\nThe file has one application a line, as JSON with the fields of GET /v1/applications and agency_id:\n' +
        '  { "agency_id": "agy_0UzKdPq3aXb81Lm2RtWc9Z", "id": "app_0UzKdPq3aXb81Lm2RtWc9Z", "livemode": true, … }\n' +
        'Importing a file again changes only what differs by then. Ctrl-C stops after the batch under way.',
    )
    .action(
      answering(context, async (name: string) => {
        const file = await openFile(context.resolvePath(name));
        const { showProgress } = context;
        const stopping = new AbortController();
        const forget = context.whenToldToStop(() => {
          showProgress('stopping after the batch under way');
          stopping.abort();
        });
        try {
          const clients = await context.clients();
          const told = stopping.signal;
          return answerObject(await importApplications(file, { clients, name, showProgress, stopping: told }));
        } finally {
          forget();
          await file.close();
        }
      }),
    );
}
