import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** A command that not every machine has. */
export type Tool = {
  /** Why suites that need it are skipped; false where it is there. */
  readonly missing: string | false;
  /** Runs it and gives what it printed on standard output. Rejects with all that it said where it fails. */
  readonly run: (args: readonly string[], input?: string) => Promise<string>;
};

/** The command that a variable such as HELM names, else that of the PATH. */
export function findTool(name: string, environment: Readonly<Record<string, string | undefined>>): Tool {
  const variable = name.toUpperCase().replaceAll('-', '_');
  const { [variable]: named, PATH = '' } = environment;
  // An empty entry would be the working folder, where commands of the project's own name are not looked for.
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== '');
  const places = named ? [named] : folders.map((folder) => path.join(folder, name));
  const file = places.find(canRun);
  return {
    missing: file === undefined && `there is no ${name}, nor does ${variable} name one`,
    run: (args, input = '') => {
      if (file === undefined) throw new Error(`there is no ${name}: skip what needs it`);
      const running = promisify(execFile)(file, [...args], { maxBuffer: 2 ** 26, env: environment });
      // Whoever ends before all is read says why on its own.
      running.child.stdin?.on('error', () => {}).end(input);
      return running.then(({ stdout }) => stdout);
    },
  };
}

/** Whether there is a file that may be run. */
export function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
