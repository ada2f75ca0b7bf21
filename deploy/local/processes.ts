import { execFileSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** What tells one process from a later one that got the same pid: when it was born and what it runs. */
export type ProcessIdentity = { readonly birth: string; readonly command: string };

/** The identity of a living process; null where there is none, or only its remains wait to be collected. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  return process.platform === 'linux' ? fromProcFolder(pid) : fromProcessTable(pid);
}

/** Resolves to true as soon as `condition` holds, to false when it has not within `timeoutMs`. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await delay(20);
  }
  return true;
}

/** Sends a signal; false where the process has gone already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/** How a child ended: "exit code 1", "signal SIGKILL", or why it could not be run. Never rejects. */
export async function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}

/** Ends a process by the first of the signals that does it within `patienceMs`. */
export async function endProcess(
  pid: number,
  { signals, patienceMs }: { readonly signals: readonly NodeJS.Signals[]; readonly patienceMs: number },
): Promise<void> {
  for (const signal of signals) {
    if (!sendSignal(pid, signal)) return;
    if (await waitUntil(() => identifyProcess(pid) === null, patienceMs)) return;
  }
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

/** proc_pid_stat(5): after the name in brackets, field 3 is the state and field 22 the start time. */
function fromProcFolder(pid: number): ProcessIdentity | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, birth] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || birth === undefined) return null;
    return { birth, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}

/** `lstart` is always 24 characters: "Sat Nov 21 02:07:25 2026". */
function fromProcessTable(pid: number): ProcessIdentity | null {
  try {
    const row = execFileSync('ps', ['-ww', '-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return { birth: row.slice(0, 24), command: row.slice(24).trim() };
  } catch {
    return null;
  }
}
