import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { canRun } from './tools.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first has no window to draw, and takes two thirds of the time that the others do. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const ON_A_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
/** Debian's packages, of which older releases have the second alone. */
const PACKAGES = ['chromium-headless-shell', 'chromium'] as const;
/** A browser without any font shows boxes, and without the first of these all that is in the system's font in a monospaced one. */
const FONTS = ['fonts-dejavu-core', 'fonts-liberation'];

/** The Chromium of this machine: what CHROMIUM_PATH names, else the first of the usual commands; null where there is none. */
export function findChromium(environment: Environment): string | null {
  const { CHROMIUM_PATH: named, PATH = '' } = environment;
  if (named) return canRun(named) ? named : null;
  const folders = PATH.split(path.delimiter).filter((folder) => folder !== '');
  const places = COMMANDS.flatMap((command) => folders.map((folder) => path.join(folder, command)));
  return [...places, ON_A_MAC].find(canRun) ?? null;
}

/** Installs a Chromium where there is none and that is simple: as root on Debian. Without success its tests are skipped. */
export async function provideChromium(environment: Environment, stopping: AbortSignal): Promise<void> {
  const isSimple = process.getuid?.() === 0 && canRun('/usr/bin/apt-get') && !environment['CHROMIUM_PATH'];
  if (!isSimple || findChromium(environment) !== null) return;
  process.stdout.write('installing a Chromium for the tests in a browser\n');
  const options = { env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' }, signal: stopping };
  const run = (...args: readonly string[]) => promisify(execFile)('/usr/bin/apt-get', ['-qq', ...args], options);
  try {
    await run('update');
    const install = (browser: string) => run('install', '-y', '--no-install-recommends', browser, ...FONTS);
    const [best, other] = PACKAGES;
    await install(best).catch(() => install(other));
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
