import { newId } from '@pfq/kit/ids';
import { systemClock } from '@pfq/kit/clock';
import { CommanderError } from 'commander';
import path from 'node:path';
import { openClients, type Clients } from './clients.ts';
import { findConnection, type Place } from './connection.ts';
import { BadFile, describeFailure, Stopped } from './failure.ts';
import { buildProgram } from './program.ts';
import type { Context } from './verb.ts';

/** Everything outside the program that a command may touch. */
export type Surroundings = Place &
  Pick<Context, 'whenToldToStop'> & {
    /** Who is acting, for the audit log. */
    readonly actor: string;
    readonly write: (text: string) => void;
    readonly writeError: (text: string) => void;
    /** Shows one line in place of the last; an empty one takes it away. */
    readonly showProgress: (line: string) => void;
  };

const FAILED = 1;
const MISUSED = 2;
/** As shells tell of what Ctrl-C ended. */
const STOPPED = 130;

/** Runs one command and gives its exit code. Every failure is one line on the error output, and one more for each bad line of a file. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { actor, write, writeError, workingFolder, whenToldToStop } = surroundings;
  const requestId = newId('req_', systemClock());
  const progress = lineOf(surroundings.showProgress);
  let exitCode = 0;
  let clients: Clients | undefined;
  const program = buildProgram({
    write,
    writeError,
    context: {
      clients: async () => (clients = openClients(await findConnection(surroundings), { actor, requestId })),
      showProgress: (line) => progress.show(line),
      whenToldToStop,
      resolvePath: (file) => path.resolve(workingFolder, file),
      give(answer, asJson) {
        progress.clear();
        write(asJson ? answer.json : answer.text);
        exitCode = answer.exitCode ?? 0;
      },
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said what it had to say.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    progress.clear();
    const isOfCall = clients?.hasFailed() === true && !(error instanceof BadFile);
    writeError(`pfq: ${describeFailure(error)}${isOfCall ? ` (request ${requestId})` : ''}\n`);
    return error instanceof Stopped ? STOPPED : FAILED;
  } finally {
    clients?.close();
  }
}

/** Progress that is taken away only where there was some. */
function lineOf(show: (line: string) => void) {
  let isShown = false;
  return {
    show(line: string) {
      isShown = true;
      show(line);
    },
    clear() {
      if (isShown) show('');
      isShown = false;
    },
  };
}
