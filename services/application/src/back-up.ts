import { runCopy } from './copy.ts';
import { writeCopy } from './storage/mongo-copy.ts';

const { argv, env } = process;

const surroundings = {
  argv,
  env,
  say: (text: string) => process.stdout.write(text),
  complain: (text: string) => process.stderr.write(text),
};
process.exitCode = await runCopy(surroundings, { done: 'written', copy: writeCopy });
