import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { cpuUsage, memoryUsage } from 'node:process';
import { observe } from './metrics.ts';

/** How often the delay is read; Node counts the interval itself as delay. */
const RESOLUTION_MS = 20;
/** Whoever asks sooner is told the same, so that two who ask do not take readings from each other. */
const SHORTEST_WINDOW_MS = 5_000;
const MICROSECONDS = 1_000_000;
const NANOSECONDS = 1_000_000_000;

/** Observes event loop, processor and memory of this process until the function that it returns is called. */
export function observeProcess(): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let since = performance.eventLoopUtilization();
  let readAt = -SHORTEST_WINDOW_MS;
  let loop = { p50: 0, p99: 0, utilization: 0 };
  const readLoop = () => {
    if (performance.now() - readAt < SHORTEST_WINDOW_MS) return loop;
    readAt = performance.now();
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, since);
    loop = { p50: delayAt(50), p99: delayAt(99), utilization };
    since = now;
    delays.reset();
    return loop;
  };
  /** Seconds; 0 before the first reading. */
  const delayAt = (percentile: number) =>
    Math.max(0, delays.percentile(percentile) / NANOSECONDS - RESOLUTION_MS / 1_000);

  const forget = [
    observe('nodejs.eventloop.delay.p50', () => one(readLoop().p50)),
    observe('nodejs.eventloop.delay.p99', () => one(readLoop().p99)),
    observe('nodejs.eventloop.utilization', () => one(readLoop().utilization)),
    observe('process.cpu.time', () => {
      const { user, system } = cpuUsage();
      return one((user + system) / MICROSECONDS);
    }),
    observe('process.memory.usage', () => one(memoryUsage.rss())),
    observe('v8js.memory.heap.used', () => one(memoryUsage().heapUsed)),
  ];
  return () => {
    delays.disable();
    for (const each of forget) each();
  };
}

function one(value: number) {
  return [{ value, attributes: {} }];
}
