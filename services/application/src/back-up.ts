import { runCopy } from './copy.ts';
import { writeCopy } from './storage/mongo-copy.ts';

process.exitCode = await runCopy(process, { done: 'written', copy: writeCopy });
