import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { liftLimits } from '../support/limits.ts';
import { startStack, stackFolder } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';
import { CONNECTIONS, describeLoad, load, median, medianLoad, quantile } from './load.ts';
import type { Load } from './load.ts';

/** Medians over the rounds, and what each round compares to the same round without telemetry. */
export type TelemetryBench = readonly {
  readonly name: string;
  readonly load: Load;
  /** Of the services, all of them together, for one request. */
  readonly cpuMs: number;
  readonly rateRatios: readonly number[];
  /** How many requests the same processor time serves. Other work on the machine changes it less than the rate. */
  readonly cpuRatios: readonly number[];
}[];

type Round = { readonly load: Load; readonly cpuMs: number };
type Way = { readonly name: string; readonly stack: RunningStack; readonly rounds: Round[] };

/** Many short rounds: what else the machine does then falls on all ways alike. */
const WARM_UP_ROUNDS = 5;
const ROUNDS = 20;
const ROUND_SECONDS = 2;
/** What of the throughput must be left with one trace in ten sampled. */
const LEAST_RATIO = 0.9;

/** The first is what the others are compared with. */
const WAYS = [
  { name: 'off', variables: { OTEL_SDK_DISABLED: 'true' } },
  { name: '10 % sampled', variables: { OTEL_TRACES_SAMPLER_ARG: '0.1' } },
  { name: 'all sampled', variables: { OTEL_TRACES_SAMPLER_ARG: '1' } },
] as const;

/** Posts the same quotes to three stacks, which differ in their telemetry alone, in turns within one run. */
export async function benchTelemetry(): Promise<TelemetryBench> {
  const receiver = await startReceiver();
  const ending: (() => unknown)[] = [receiver.stop];
  try {
    const ways: Way[] = [];
    for (const { name, variables } of WAYS) {
      const { folder, remove } = stackFolder();
      ending.unshift(remove);
      const exporting = 'OTEL_SDK_DISABLED' in variables ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
      const stack = await startStack(folder, { LOG_LEVEL: 'warn', ...exporting, ...variables });
      ending.unshift(() => stack.stop());
      await liftLimits(stack);
      ways.push({ name, stack, rounds: [] });
    }
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      for (const { stack, rounds } of turned(ways, round + WARM_UP_ROUNDS)) {
        const measured = await measure(stack);
        if (round >= 0) rounds.push(measured);
      }
    }
    return ways.map((way) => compare(way, ways[0]?.rounds ?? []));
  } finally {
    for (const end of ending) await end();
  }
}

export function describeTelemetryBench(ways: TelemetryBench): string {
  const [, ...on] = ways;
  const target = `${LEAST_RATIO.toFixed(2)} with 10 % sampled`;
  const ratioOf = (ratios: readonly number[]) => {
    const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(2));
    return `${middle} (half of ${ratios.length} rounds between ${low} and ${high})`;
  };
  return [
    `POST /v1/quotes and its telemetry, ${CONNECTIONS} connections:`,
    ...ways.map(({ name, load: loaded, cpuMs }) => `${describeLoad(name, loaded)}, ${cpuMs.toFixed(2)} ms of CPU`),
    ...on.flatMap(({ name, rateRatios, cpuRatios }) => [
      `  ${name} / off, requests a second: ${ratioOf(rateRatios)}`,
      `  ${name} / off, requests a second of CPU: ${ratioOf(cpuRatios)}`,
    ]),
    `  target: at least ${target}, ${isCheapEnough(ways) ? 'met' : 'MISSED'}`,
  ].join('\n');
}

export function isCheapEnough([, sampled]: TelemetryBench): boolean {
  return sampled !== undefined && median(sampled.rateRatios) >= LEAST_RATIO;
}

async function measure(stack: RunningStack): Promise<Round> {
  const { gateway_url: gateway, keys } = stack.file;
  const before = cpuMsOf(stack);
  const loaded = await load({ url: `${gateway}/v1/quotes`, key: keys.test, seconds: ROUND_SECONDS });
  return { load: loaded, cpuMs: (cpuMsOf(stack) - before) / loaded.requests };
}

function compare({ name, rounds }: Way, off: readonly Round[]): TelemetryBench[number] {
  const ratios = (of: (round: Round, other: Round) => number) =>
    rounds.flatMap((round, index) => {
      const other = off[index];
      return other ? [of(round, other)] : [];
    });
  return {
    name,
    load: medianLoad(rounds.map((round) => round.load)),
    cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
    rateRatios: ratios((round, other) => round.load.requestsPerSecond / other.load.requestsPerSecond),
    cpuRatios: ratios((round, other) => other.cpuMs / round.cpuMs),
  };
}

const SERVICE_PROCESS = /^(?:gateway|pricing|quote-store) +\| process (\d+)$/gm;
/** USER_HZ, which Linux has everywhere. */
const TICK_MS = 10;

/** Processor time of the three services so far; not a number where there is no /proc. */
function cpuMsOf(stack: RunningStack): number {
  const pids = Array.from(stack.output().matchAll(SERVICE_PROCESS), ([, pid]) => pid);
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  // proc_pid_stat(5): after the name in brackets, fields 14 and 15 are the time in user and in kernel mode.
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}

/** Whoever is first in a round may find the machine in another state than who is last. */
function turned<T>(items: readonly T[], turns: number): readonly T[] {
  const first = turns % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

async function startReceiver(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const child = fork(fileURLToPath(import.meta.resolve('./telemetry-receiver.ts')), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${String(port)}`, stop: () => child.disconnect() };
}
