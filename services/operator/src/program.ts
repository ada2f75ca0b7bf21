import { Command } from 'commander';
import { addAgencyCommands } from './commands/agency.ts';
import { addApplicationsCommands } from './commands/applications.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBrokerCommands } from './commands/broker.ts';
import { addCarriersCommands } from './commands/carriers.ts';
import { addCountersCommands } from './commands/counters.ts';
import { addDeclineCommands } from './commands/decline.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMailCommands } from './commands/mail.ts';
import { addQuoteCommands } from './commands/quote.ts';
import { addRatesCommands } from './commands/rates.ts';
import { addRequestCommands } from './commands/request.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { addSmokeCommands } from './commands/smoke.ts';
import { asOneLine } from './output.ts';
import type { Context } from './verb.ts';

/** What help ends with, and what the reference begins with. */
export const WHERE = `\
Where the services are:
  The nearest .local/stack.json upwards, which \`npm start\` writes, or that of PFQ_LOCAL_DIR;
  elsewhere PFQ_OPERATOR_GATEWAY_URL, PFQ_OPERATOR_PRICING_URL, PFQ_OPERATOR_APPLICATION_URL,
  PFQ_OPERATOR_NOTIFICATION_URL (grpc://host:port) and PFQ_OPERATOR_TOKEN (or _FILE).
  PFQ_OPERATOR_TLS_DIR is a folder with tls.crt, tls.key and ca.crt, where they demand a certificate.
  PFQ_OPERATOR_NAME is who the audit log names; without it, the account.`;

export const EXIT_CODES = {
  0: 'done',
  1: 'failed, or a verified quote differs',
  2: 'not understood',
  130: 'stopped before it was done',
} as const;

const FIRST_STEPS = `
First steps:
  pfq agency create --name "Lone Star Insurance"             prints the agency's id
  pfq agency switch AGENCY_ID --test on
  pfq broker create --agency AGENCY_ID --email E --name N
  pfq key create --agency AGENCY_ID --mode test --type agency --broker E \\
      --scopes quotes:write,quotes:read --name N             prints the key, this once
  pfq rates load rates.json                                  see: pfq rates load --help

${WHERE}

A failed call is told with the id of its request, which is in the log lines of the services that it reached.
Exit codes: ${Object.entries(EXIT_CODES)
  .map(([code, meaning]) => `${code} ${meaning}`)
  .join('; ')}.`;

type Parts = {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly context: Context;
};

/** The command with all its nouns. Misuse is told on the error output and thrown as a CommanderError. */
export function buildProgram({ write, writeError, context }: Parts): Command {
  const program = new Command('pfq')
    .description('Operate the premium finance quoting service.')
    .usage('<noun> <verb> [--json]')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: writeError,
      outputError: (text) => writeError(`pfq: ${asOneLine(text.replace(/^error: /, ''))}\n`),
    })
    .addHelpText('after', FIRST_STEPS);
  addAgencyCommands(program, context);
  addBrokerCommands(program, context);
  addKeyCommands(program, context);
  addCountersCommands(program, context);
  addRatesCommands(program, context);
  addSettingsCommands(program, context);
  addCarriersCommands(program, context);
  addDeclineCommands(program, context);
  addApplicationsCommands(program, context);
  addQuoteCommands(program, context);
  addMailCommands(program, context);
  addRequestCommands(program, context);
  addAuditCommands(program, context);
  addSmokeCommands(program, context);
  return program;
}
