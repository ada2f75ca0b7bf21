import { userInfo } from 'node:os';
import path from 'node:path';
import { runCommand } from './cli.ts';

const { argv, env } = process;
const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const CLEAR_LINE = '\r\u{1B}[K';

// Whoever reads may have read enough, as in `pfq agency list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await runCommand(argv.slice(2), {
  environment: env,
  workingFolder: process.cwd(),
  projectFolder: path.resolve(import.meta.dirname, '../../..'),
  actor: env['PFQ_OPERATOR_NAME'] || accountName(),
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  whenToldToStop,
  showProgress: process.stderr.isTTY ? (line) => process.stderr.write(CLEAR_LINE + line) : () => {},
});

/** Once for each signal: whoever sends it again does not want to wait. */
function whenToldToStop(stop: () => void): () => void {
  for (const signal of STOPS) process.once(signal, stop);
  return () => {
    for (const signal of STOPS) process.off(signal, stop);
  };
}

/** The account's name, or its number where it has none, as in a container that runs under an arbitrary uid. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
