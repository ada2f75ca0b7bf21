import type { Command } from 'commander';
import { buildProgram, EXIT_CODES, WHERE } from './program.ts';
import type { Context } from './verb.ts';

/** The page about the command, in Markdown, made of what its help says. */
export function writeReference(): string {
  const help: string[] = [];
  const program = buildProgram({ write: (text) => help.push(text), writeError: () => {}, context: NO_CONTEXT });
  const helpOf = (verb: Command) => {
    help.length = 0;
    verb.outputHelp();
    return help.join('');
  };
  const nouns = program.commands.map((noun) =>
    [
      `## ${noun.name()}`,
      `${capital(noun.description())}.`,
      ...noun.commands.map((verb) => writeVerb(verb, helpOf(verb))),
    ].join('\n\n'),
  );
  return `${[INTRODUCTION, ...nouns].join('\n\n')}\n`;
}

/** What is only described is never run. */
const NO_CONTEXT: Context = {
  clients: () => Promise.reject(new Error('nothing is run here')),
  resolvePath: (file) => file,
  showProgress: () => {},
  whenToldToStop: () => () => {},
  give: () => {},
};

const INTRODUCTION = `# The command pfq

What an operator does goes through \`npx pfq\`, a client of the services' admin RPCs: it needs their addresses and the operator's
token, and no database. Written by \`npm run generate\` from what \`npx pfq --help\` says.

${WHERE.replaceAll(/^ +/gm, '').replace('\n', '\n\n')}

The environment is never mixed with a local stack: where one of the variables is set, all must be.

Every command prints a table, or with \`--json\` one JSON object; lists are \`{ "object": "list", "data": […] }\`. What fails says so in
one line on the error output, and a bad file in one more for each bad line. A call that failed is told with the id of its
request: every log line about it has that \`request_id\`. Long work tells a terminal how far it has come, and nobody else.

${Object.entries(EXIT_CODES)
  .map(([code, meaning]) => `- Exit code ${code}: ${meaning}.`)
  .join('\n')}`;

function writeVerb(verb: Command, help: string): string {
  const [example = '', ...notes] = (help.split('\nExample:\n')[1] ?? '').trimEnd().split('\n\n');
  const name = `**pfq ${verb.parent?.name()} ${verb.name()}**`;
  const inputs = writeInputs(verb);
  const parts = [
    `${name}: ${verb.description()}.`,
    asCode(example),
    ...(inputs ? [inputs] : []),
    ...notes.map(writeNote),
  ];
  return parts.join('\n\n');
}

function writeInputs({ registeredArguments, options }: Command): string {
  const inputs = [
    ...registeredArguments.map((one) => ({
      spelled: `<${one.name()}>`,
      said: one.description,
      isNeeded: one.required,
    })),
    ...options
      .filter(({ long }) => long !== '--json')
      .map(({ flags, description, mandatory }) => ({ spelled: flags, said: description, isNeeded: mandatory })),
  ];
  const lines = inputs.map(({ spelled, said, isNeeded }) => {
    const needed = isNeeded ? '' : ' (optional)';
    return `- \`${spelled}\`${needed}${said === '' ? '' : `: ${said}`}`;
  });
  return lines.join('\n');
}

/** Words, and what a file holds, which the help indents. */
function writeNote(note: string): string {
  const isOfFile = (line: string) => line.startsWith('  ');
  const lines = note.split('\n').map((line, index, all) => {
    const isTurn = index > 0 && isOfFile(line) !== isOfFile(all[index - 1] ?? '');
    return `${isTurn ? '\n' : ''}${isOfFile(line) ? asCode(line) : line}`;
  });
  return lines.join('\n');
}

function asCode(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
