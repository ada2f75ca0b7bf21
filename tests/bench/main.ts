import '@pfq/local/end-with-parent';
import { benchGrid, describeGridBench } from './grid.ts';
import { benchPosts, describePostBench } from './post-quotes.ts';
import { benchTelemetry, describeTelemetryBench, isCheapEnough } from './telemetry.ts';

const BENCHES: Readonly<Record<string, () => Promise<string>>> = {
  grid: async () => describeGridBench(benchGrid()),
  posts: async () => describePostBench(await benchPosts()),
  telemetry: async () => {
    const ways = await benchTelemetry();
    if (!isCheapEnough(ways)) process.exitCode = 1;
    return describeTelemetryBench(ways);
  },
};

/** Those that are named, else all. */
const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in BENCHES));
if (unknown === undefined) {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length === 0 || names.includes(name)) process.stdout.write(`${await bench()}\n\n`);
  }
} else {
  process.stderr.write(`there is no bench ${unknown}, only ${Object.keys(BENCHES).join(', ')}\n`);
  process.exitCode = 1;
}
