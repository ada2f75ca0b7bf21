import { ConfigError, readConfig } from '@pfq/kit/config';
import type { Environment } from '@pfq/kit/config';
import { isMongoUrl } from '@pfq/kit/mongo';
import { settings } from './config.ts';

type Copying = {
  /** What it does to the file, for whoever reads along. */
  readonly done: 'written' | 'restored';
  /** Gives the number of documents. */
  readonly copy: (databaseUrl: string, file: string) => Promise<number>;
};

type Output = { write(text: string): unknown };

/** What it sees of its process. */
type Surroundings = {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
};

/** EX_USAGE and EX_CONFIG of sysexits.h. */
const BAD_USAGE = 64;
const BAD_CONFIG = 78;

/** Copies between the MongoDB of DATABASE_URL and the file that is the only argument. Gives the exit code. */
export async function runCopy({ argv, env, stdout, stderr }: Surroundings, { done, copy }: Copying): Promise<number> {
  const [, program = '', file, ...others] = argv;
  if (file === undefined || others.length > 0) {
    stderr.write(`usage: ${program} FILE\n`);
    return BAD_USAGE;
  }
  try {
    const { databaseUrl } = readConfig({ databaseUrl: settings.databaseUrl }, env);
    if (!isMongoUrl(databaseUrl)) throw new ConfigError(['DATABASE_URL is not one of MongoDB: use pg_dump']);
    stdout.write(`${await copy(databaseUrl, file)} documents ${done}\n`);
    return 0;
  } catch (error) {
    const isConfig = error instanceof ConfigError;
    const problems = isConfig ? error.problems : [error instanceof Error ? error.message : String(error)];
    stderr.write(problems.map((problem) => `${isConfig ? 'config: ' : ''}${problem}\n`).join(''));
    return isConfig ? BAD_CONFIG : 1;
  }
}
