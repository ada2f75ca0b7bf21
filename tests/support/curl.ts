import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Answer } from './api.ts';

const BLANK_LINE = /\r?\n\r?\n/;

/**
 * Runs a script as a reader of our documents would: a real shell takes the lines apart, in a folder of its own, with Node
 * and curl on the path. Where the machine has no curl, this file stands in for it. Gives what was printed.
 */
export async function runShell(script: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-shell-'));
  const standIn = path.join(folder, 'bin/curl');
  mkdirSync(path.dirname(standIn));
  writeFileSync(standIn, `#!/bin/sh\nexec "${process.execPath}" "${import.meta.filename}" "$@"\n`);
  chmodSync(standIn, 0o755);
  const places = [path.dirname(process.execPath), process.env['PATH'] ?? '', path.dirname(standIn)];
  const env = { PATH: places.join(path.delimiter), HOME: folder, NO_PROXY: '*', ...variables };
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/** Does what a printed curl line asks for. */
export async function runCurlLine(line: string): Promise<Answer> {
  return parseHttp(await runShell(line.replace(/^\s*curl /, 'curl -i ')));
}

/** An answer as `curl -i` prints it. */
export function parseHttp(printed: string): Answer {
  const [head = '', ...rest] = printed.split(BLANK_LINE);
  const [status = '', ...lines] = head.split(/\r?\n/);
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return { status: Number(status.split(' ')[1]), headers, text: rest.join('\n\n') };
}

/** curl, as far as our documents use it: a URL, -sS, -i, -X, -H and -d. */
async function actAsCurl(words: readonly string[]): Promise<void> {
  const headers: [string, string][] = [];
  const rest = [...words];
  let [url, method, body, isHeadShown] = ['', 'GET', undefined as string | undefined, false];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-i') isHeadShown = true;
    else if (word === '-X') method = rest.shift() ?? '';
    else if (word === '-H') headers.push((rest.shift() ?? '').split(/: (.*)/s).slice(0, 2) as [string, string]);
    else if (word === '-d') [method, body] = ['POST', rest.shift() ?? ''];
    else if (!word.startsWith('-')) url = word;
    else if (word !== '-sS') throw new Error(`the stand-in for curl does not know ${word}`);
  }
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const head = [
    `HTTP/1.1 ${response.status} ${response.statusText}`,
    ...Array.from(response.headers, (pair) => pair.join(': ')),
  ];
  process.stdout.write((isHeadShown ? `${head.join('\r\n')}\r\n\r\n` : '') + (await response.text()));
}

if (import.meta.main) await actAsCurl(process.argv.slice(2));
