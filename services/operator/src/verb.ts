import type { Command } from 'commander';
import type { Clients } from './clients.ts';
import type { Answer } from './output.ts';

/** What a command is given to work with. `clients` looks for the services when it is first asked. */
export type Context = {
  readonly clients: () => Promise<Clients>;
  /** A path as typed, counted from where the command was called. */
  readonly resolvePath: (file: string) => string;
  /** Tells people how far a long command has come, in place of what was told before. */
  readonly showProgress: (progress: string) => void;
  /** Calls `stop` where somebody wants the command to end, until the function that it returns is called. */
  readonly whenToldToStop: (stop: () => void) => () => void;
  readonly give: (answer: Answer, asJson: boolean) => void;
};

/** Adds `pfq <noun>`. */
export function addNoun(program: Command, name: string, summary: string): Command {
  return program.command(name).description(summary).helpCommand(false);
}

type Described = Readonly<Record<'usage' | 'summary' | 'example', string>> & { readonly isUsual?: boolean };

/**
 * Adds `pfq <noun> <verb>`, with `--json` and an example in its help. `usage` is the verb and its arguments. The usual verb
 * may be left out.
 */
export function addVerb(noun: Command, { usage, summary, example, isUsual = false }: Described): Command {
  return noun
    .command(usage, { isDefault: isUsual })
    .description(summary)
    .option('--json', 'print one JSON object')
    .addHelpText('after', `\nExample:\n  pfq ${noun.name()} ${example}`);
}

/** An action for commander, which passes arguments, options and the command itself. */
export function answering<Inputs extends unknown[]>(
  { give }: Context,
  work: (...inputs: Inputs) => Promise<Answer>,
): (this: Command, ...inputs: Inputs) => Promise<void> {
  return async function act(...inputs) {
    const { json = false } = this.opts<{ json?: boolean }>();
    give(await work(...inputs), json);
  };
}
