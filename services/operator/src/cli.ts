import { Command, CommanderError } from 'commander';
import path from 'node:path';
import { openClients, type Clients } from './clients.ts';
import { addAgencyCommands } from './commands/agency.ts';
import { addApplicationsCommands } from './commands/applications.ts';
import { addBrokerCommands } from './commands/broker.ts';
import { addCarriersCommands } from './commands/carriers.ts';
import { addDeclineCommands } from './commands/decline.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMailCommands } from './commands/mail.ts';
import { addQuoteCommands } from './commands/quote.ts';
import { addRatesCommands } from './commands/rates.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { findConnection, type Place } from './connection.ts';
import { describeFailure } from './failure.ts';
import { asOneLine } from './output.ts';
import type { Context } from './verb.ts';

/** Everything outside the program that a command may touch. */
export type Surroundings = Place & {
  /** Who is acting, for the audit log. */
  readonly actor: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Shows one line in place of the last; an empty one takes it away. */
  readonly showProgress: (line: string) => void;
};

const FAILED = 1;
const MISUSED = 2;

const FIRST_STEPS = `
First steps:
  pfq agency create --name "Lone Star Insurance"             prints the agency's id
  pfq agency switch AGENCY_ID --test on
  pfq broker create --agency AGENCY_ID --email E --name N
  pfq key create --agency AGENCY_ID --mode test --type agency --broker E \\
      --scopes quotes:write,quotes:read --name N             prints the key, this once
  pfq rates load rates.json                                  see: pfq rates load --help

Where the services are:
  The nearest .local/stack.json upwards, which \`npm start\` writes, or that of PFQ_LOCAL_DIR;
  elsewhere PFQ_OPERATOR_GATEWAY_URL, PFQ_OPERATOR_PRICING_URL, PFQ_OPERATOR_APPLICATION_URL,
  PFQ_OPERATOR_NOTIFICATION_URL (grpc://host:port) and PFQ_OPERATOR_TOKEN (or _FILE).
  PFQ_OPERATOR_NAME is who the audit log names; without it, the account.

Exit codes: 0 done; 1 failed, or a verified quote differs; 2 not understood.`;

/** Runs one command and gives its exit code. Every failure is one line on the error output, and one more for each bad line of a file. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0;
  let clients: Clients | undefined;
  const program = buildProgram(surroundings, {
    clients: async () => (clients = openClients(await findConnection(surroundings), surroundings.actor)),
    showProgress: surroundings.showProgress,
    resolvePath: (file) => path.resolve(surroundings.workingFolder, file),
    give(answer, asJson) {
      surroundings.write(asJson ? answer.json : answer.text);
      exitCode = answer.exitCode ?? 0;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said what it had to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    surroundings.writeError(`pfq: ${describeFailure(error)}\n`);
    return FAILED;
  } finally {
    clients?.close();
  }
}

function buildProgram({ write, writeError }: Surroundings, context: Context): Command {
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
  addRatesCommands(program, context);
  addSettingsCommands(program, context);
  addCarriersCommands(program, context);
  addDeclineCommands(program, context);
  addApplicationsCommands(program, context);
  addQuoteCommands(program, context);
  addMailCommands(program, context);
  return program;
}
