import path from 'node:path';
import { chooseLocalFolder, removeLocalFolder } from './local-folder.ts';
import { Problem } from './problem.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

try {
  const folder = chooseLocalFolder(process.env, ROOT);
  const wasThere = removeLocalFolder(folder);
  process.stdout.write(`pfq: ${wasThere ? `removed ${folder}` : `there is no ${folder}`}\n`);
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  process.stderr.write(`pfq: ${error.message}\n`);
  process.exitCode = 1;
}
