import { redact } from './redact.ts';

/** An error as the log shows it. */
type LoggedError = {
  readonly type: string;
  /** With the messages of its causes. */
  readonly message: string;
  /** With the stacks of its causes. */
  readonly stack: string;
} & Readonly<Record<string, unknown>>;

/** What else an error may tell: codes and names of our own, never contents. Anything that is not listed is left out. */
const TOLD = [
  ['code', 'errno', 'syscall', 'port', 'address'],
  // Of PostgreSQL.
  ['severity', 'schema', 'table', 'column', 'constraint', 'routine'],
  // Of the mailer.
  ['responseCode', 'command'],
].flat();
const MOST_CAUSES = 8;
const MOST_FRAMES = 30;
/** `    at work (file:///srv/work.ts:1:2)`; anything else may be a part of a message. */
const FRAME = /^ {4}at (?:[\w.<>#$[\] ]+ \()?(?:async )?(?:file:|node:|\/|<anonymous>|native)\S*\)?$/;

/** A thrown value without what is nobody's business: of whatever it holds only texts that were redacted, and codes. */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)), stack: '' };
  const chain = causesOf(error);
  const told = TOLD.flatMap((name) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' || typeof value === 'number' ? [[name, redactIfText(value)] as const] : [];
  });
  return {
    type: redact(error.name),
    message: chain.map(({ message }) => redact(message)).join(': '),
    stack: chain.map(stackOf).join('\ncaused by: '),
    ...Object.fromEntries(told),
  };
}

/** The error, its cause or what it gathers, and theirs. */
function causesOf(error: Error): readonly Error[] {
  const found: Error[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && found.length < MOST_CAUSES) {
    const next = waiting.shift();
    if (!(next instanceof Error) || found.includes(next)) continue;
    found.push(next);
    waiting.push(next.cause, ...(next instanceof AggregateError ? next.errors : []));
  }
  return found;
}

function stackOf({ name, message, stack = '' }: Error): string {
  const place = stack.indexOf(message);
  const after = place < 0 ? stack : stack.slice(place + message.length);
  const frames = after.split('\n').filter((line) => FRAME.test(line));
  return [redact(`${name}: ${message}`), ...frames.slice(0, MOST_FRAMES)].join('\n');
}

function redactIfText(value: string | number): string | number {
  return typeof value === 'string' ? redact(value) : value;
}
