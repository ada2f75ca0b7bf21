import { runCopy } from './copy.ts';
import { restoreCopy } from './storage/mongo-copy.ts';

process.exitCode = await runCopy(process, { done: 'restored', copy: restoreCopy });
