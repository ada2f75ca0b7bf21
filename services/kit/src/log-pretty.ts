import { isatty } from 'node:tty';
import { styleText } from 'node:util';

type Line = Readonly<Record<string, unknown>>;
type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;
type Output = { write(text: string): unknown };

const STANDARD_OUTPUT = 1;
const STYLES: Readonly<Record<string, Style>> = { fatal: 'red', error: 'red', warn: 'yellow', info: 'green' };
/** Told elsewhere in the line, or known to whoever sees it: every service of the local stack has its name before it. */
const ELSEWHERE = new Set(['level', 'time', 'service', 'msg', 'err', 'span_id', 'method', 'route', 'rpc', 'status']);
const SHORTER: Readonly<Record<string, number>> = { trace_id: 8, agency_id: 12 };

/** Turns the JSON lines of a log into lines for people; in colour where they see it. */
export function prettyLines(output: Output, isColourful = isatty(STANDARD_OUTPUT)): Output {
  const paint: Paint = (style, text) => (isColourful ? styleText(style, text, { validateStream: false }) : text);
  return { write: (json) => output.write(`${prettyLine(JSON.parse(json), paint)}\n`) };
}

/** `12:34:56.789 INFO  POST /v1/quotes 201 in 34 ms  request_id=req_… mode=test trace=4bf92f35`, then the stack of an error. */
function prettyLine(line: Line, paint: Paint): string {
  const level = textOf(line['level']);
  const time = timeOfDay(textOf(line['time']));
  const head = `${paint('dim', time)} ${paint(STYLES[level] ?? 'dim', level.toUpperCase().padEnd(5))} ${eventOf(line, paint)}`;
  const rest = Object.entries(line)
    .filter(([name]) => !ELSEWHERE.has(name) && !(name === 'duration_ms' && isAnswer(line)))
    .map(([name, value]) => `${name.replace(/^(trace|agency)_id$/, '$1')}=${valueOf(name, value)}`)
    .join(' ');
  const stack = stackOf(line['err']);
  return `${head}${rest && `  ${paint('dim', rest)}`}${stack && `\n${paint('dim', stack)}`}`;
}

/** A request and a call are told by what was asked for and what came of it, everything else by its message. */
function eventOf(line: Line, paint: Paint): string {
  const message = textOf(line['msg']);
  const asked = [line['method'], line['route'], line['rpc']].map(textOf).filter(Boolean).join(' ');
  if (!isAnswer(line)) return asked ? `${message}: ${asked}` : message;
  const status = textOf(line['status']);
  const ms = Number(line['duration_ms']);
  return `${asked} ${paint(styleOfStatus(status), status)} in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function isAnswer({ msg, status }: Line): boolean {
  return (msg === 'request' || msg === 'call') && status !== undefined;
}

function styleOfStatus(status: string): Style {
  if (/^5|^(?:UNKNOWN|INTERNAL|UNAVAILABLE|DEADLINE_EXCEEDED|DATA_LOSS)$/i.test(status)) return 'red';
  return /^[123]|^OK$/i.test(status) ? 'green' : 'yellow';
}

/** In the time of where it is read. */
function timeOfDay(time: string): string {
  const at = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const seconds = `${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  return `${two(at.getHours())}:${two(at.getMinutes())}:${seconds}`;
}

/** One word as it is, anything else as JSON, so that it is seen where it ends. */
function valueOf(name: string, value: unknown): string {
  const text = textOf(value);
  const short = text.slice(0, SHORTER[name] ?? text.length);
  return typeof value === 'string' && /[\s"=]|^$/.test(short) ? JSON.stringify(short) : short;
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return '';
  return textOf(error.stack) || ('message' in error ? textOf(error.message) : '');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}
