import { InvalidArgumentError, type Command } from 'commander';
import { readText } from '../files.ts';
import { formatRows, toJson, type Answer } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';
import { runSmoke, type Report, type Smoke } from './smoke-run.ts';

type Inputs = { readonly api: URL; readonly hosted: URL; readonly key?: string };

export function addSmokeCommands(program: Command, context: Context): void {
  const smoke = addNoun(program, 'smoke', 'whether an installation does what it is for');

  addVerb(smoke, {
    usage: 'run',
    summary: 'price a quote in test mode, read it back and open its page, as its callers do',
    example: 'run --api http://127.0.0.1:8080 --hosted http://127.0.0.1:8081',
    isUsual: true,
  })
    .requiredOption('--api <url>', 'address of the public API', parseWebAddress)
    .requiredOption('--hosted <url>', 'address of hosted pages; their path is that of the quote', parseWebAddress)
    .option('--key <file>', 'file with a test key for quotes:write and quotes:read')
    .addHelpText(
      'after',
      '\nWithout a key one is made for an agency named "Smoke test", and revoked in the end.\n' +
        'A rate sheet must have been loaded.',
    )
    .action(
      answering(context, async ({ api, hosted, key: file }: Inputs) => {
        const access =
          file === undefined
            ? { clients: await context.clients() }
            : { key: (await readText(context.resolvePath(file))).trim() };
        return toAnswer(await runUntilTold(context, { api, hosted, access }));
      }),
    );
}

async function runUntilTold(
  { showProgress, whenToldToStop }: Context,
  smoke: Omit<Smoke, 'showProgress' | 'stopping'>,
): Promise<Report> {
  const stop = new AbortController();
  const forget = whenToldToStop(() => stop.abort());
  return runSmoke({ ...smoke, showProgress, stopping: stop.signal }).finally(forget);
}

function toAnswer({ passed, quoteId, steps }: Report): Answer {
  const verdict = passed ? `${quoteId} was priced, read and shown.` : 'The installation does not do what it is for.';
  return {
    json: toJson({ passed, quote_id: quoteId, steps }),
    text: `${formatRows(steps, ['step', 'passed', 'duration_ms', 'says'])}\n${verdict}\n`,
    exitCode: passed ? 0 : 1,
  };
}

function parseWebAddress(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('Say a web address such as https://api.lonestar.example.');
}
