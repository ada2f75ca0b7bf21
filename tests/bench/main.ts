import '@pfq/local/end-with-parent';
import { benchGrid, describeGridBench } from './grid.ts';
import { benchPosts, describePostBench } from './post-quotes.ts';

/** Ratios that no release falls below. */
const LEAST_GRID_RATIO = 20;
const LEAST_POST_RATIO = 0.5;

const grid = benchGrid();
process.stdout.write(`${describeGridBench(grid)}\n\n`);
const posts = await benchPosts();
process.stdout.write(`${describePostBench(posts)}\n`);
if (grid.ratio < LEAST_GRID_RATIO || posts.ratio < LEAST_POST_RATIO) {
  process.stdout.write(`\ntoo slow: the floors are ${LEAST_GRID_RATIO} and ${LEAST_POST_RATIO}\n`);
  process.exitCode = 1;
}
