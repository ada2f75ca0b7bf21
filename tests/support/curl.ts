import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Answer } from './api.ts';

/** Does what a printed curl line asks for: a real shell takes the line apart, so that its quoting is proven too. */
export async function runCurlLine(line: string): Promise<Answer> {
  const shell = ['-c', `curl() { printf '%s\\0' "$@"; }\n${line}`];
  const { stdout } = await promisify(execFile)('sh', shell);
  const [, url = '', ...words] = stdout.split('\0');
  const options = words.flatMap((word, index) =>
    word.startsWith('-') ? [[word, words[index + 1] ?? ''] as const] : [],
  );
  const headers = options.filter(([name]) => name === '-H').map(([, header]) => header.split(/: (.*)/s).slice(0, 2));
  const body = options.find(([name]) => name === '-d')?.[1];
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: new Headers(headers.map(([name = '', value = '']) => [name, value])),
    ...(body !== undefined && { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
