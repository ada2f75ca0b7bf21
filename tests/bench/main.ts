import '@pfq/local/end-with-parent';
import { benchGrid, describeGridBench } from './grid.ts';
import { benchPosts, describePostBench } from './post-quotes.ts';

process.stdout.write(`${describeGridBench(benchGrid())}\n\n`);
process.stdout.write(`${describePostBench(await benchPosts())}\n`);
