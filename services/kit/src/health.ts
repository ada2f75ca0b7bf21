import { EventEmitter } from 'node:events';
import { reasonOf } from './health-reason.ts';
import { beginWait } from './health-wait.ts';
import type { Logger } from './log.ts';
import { observe } from './telemetry/metrics.ts';
import type { DependencyName } from './telemetry/registry.ts';

/** Something that a service needs, and how to see whether it is well. */
export type Dependency = {
  readonly name: DependencyName;
  /** Without it the service can answer nothing, so that it is not ready; without any other it does less. */
  readonly isVital: boolean;
  /** From the end of a look to the next. */
  readonly everyMs: number;
  /** Rejects within a few seconds where it is not well, with the reason: it is shown to operators, so nothing secret. */
  readonly check: () => Promise<void>;
  /** Lets go of what is kept from one look to the next. */
  readonly end?: () => Promise<void>;
};

export type DependencyState = {
  readonly name: DependencyName;
  readonly isVital: boolean;
  /** Whether the last look went well. */
  readonly isUp: boolean;
  /** Why not; null where it is up. */
  readonly reason: string | null;
};

/**
 * `starting` until everything vital was seen well at once; `unready` while something vital failed three looks in a row;
 * `draining` from the signal to stop on.
 */
export type HealthState = 'starting' | 'ready' | 'unready' | 'draining';

export type HealthReport = { readonly state: HealthState; readonly dependencies: readonly DependencyState[] };

/** How a service is, for everyone who asks: probes, gRPC health, metrics. */
export type Health = {
  report(): HealthReport;
  /** Told after every change of the state, until the function that it returns is called. */
  onChange(tell: (state: HealthState) => void): () => void;
  /** Looks at one more from now on. */
  watch(dependency: Dependency): void;
  /** From now on not ready, whatever becomes of the dependencies. */
  beginDraining(): void;
  stop(): void;
};

type HealthOptions = { readonly dependencies: readonly Dependency[]; readonly logger: Pick<Logger, 'info' | 'warn'> };

/** What the looks at one dependency came to. */
type Watched = {
  readonly dependency: Dependency;
  /** Of the start, for what is vital. */
  readonly firstWait: ReturnType<typeof beginWait>;
  wasUp: boolean;
  /** Looks in a row that failed. */
  failures: number;
  reason: string;
};

/** So many looks in a row must fail before a service that was ready is not: short failovers are answered, not dodged. */
const FAILURES_UNTIL_DOWN = 3;
const LOOK_TIMEOUT_MS = 5_000;
/** Until what is vital has been well for the first time, so that a start is not held up by the pace of the looks. */
const FIRST_LOOKS_MS = 250;

/** Looks at every dependency now, and again and again. Resolves after the first look at each that is vital. */
export async function watchHealth({ dependencies, logger }: HealthOptions): Promise<Health> {
  const changes = new EventEmitter<{ change: [HealthState] }>();
  const watched: Watched[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let state: HealthState = 'starting';
  let isStopped = false;
  const forget = [
    observe('pfq.dependency.up', () =>
      watched.map((one) => ({ value: isUp(one) ? 1 : 0, attributes: { 'pfq.dependency': one.dependency.name } })),
    ),
    observe('pfq.ready', () => [{ value: state === 'ready' ? 1 : 0, attributes: {} }]),
  ];

  function become(next: HealthState): void {
    if (next === state || state === 'draining') return;
    state = next;
    changes.emit('change', state);
  }

  async function look(one: Watched): Promise<void> {
    const reason = await reasonAgainst(one.dependency);
    if (isStopped) return;
    takeNote(one, reason, logger);
    if (watched.every(isUsable)) become('ready');
    else if (state === 'ready') become('unready');
    const { everyMs, isVital } = one.dependency;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void look(one);
      },
      one.wasUp || !isVital ? everyMs : Math.min(everyMs, FIRST_LOOKS_MS),
    ).unref();
    timers.add(timer);
  }

  /** The first look is under way when this returns. */
  function watch(dependency: Dependency): Promise<void> {
    const firstWait = beginWait({ name: dependency.name, logger });
    const one: Watched = { dependency, firstWait, wasUp: false, failures: 0, reason: 'not looked at yet' };
    watched.push(one);
    return look(one);
  }

  const firstLooks = dependencies.map((dependency) => {
    const looked = watch(dependency);
    return dependency.isVital ? looked : Promise.resolve();
  });
  await Promise.all(firstLooks);
  if (watched.every(isUsable)) become('ready');
  return {
    report: () => ({ state, dependencies: watched.map(describe) }),
    onChange(tell) {
      changes.on('change', tell);
      return () => changes.off('change', tell);
    },
    watch: (dependency) => void watch(dependency),
    beginDraining: () => become('draining'),
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      for (const each of forget) each();
      for (const { dependency, firstWait } of watched) {
        firstWait.isOver('given up');
        void dependency.end?.();
      }
    },
  };
}

/** Resolves once the service can do its work: at once where it can already. */
export function untilReady(health: Pick<Health, 'report' | 'onChange'>): Promise<void> {
  return new Promise((resolve) => {
    if (health.report().state === 'ready') return resolve();
    const unsubscribe = health.onChange((state) => {
      if (state !== 'ready') return;
      unsubscribe();
      resolve();
    });
  });
}

/** Empty where it is well. A look that takes too long fails; whatever comes of it later counts for nothing. */
async function reasonAgainst({ check }: Dependency): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(new Error(`no answer within ${LOOK_TIMEOUT_MS} ms`));
    timer = setTimeout(tooLate, LOOK_TIMEOUT_MS).unref();
  });
  try {
    await Promise.race([check(), late]);
    return '';
  } catch (error) {
    return reasonOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function takeNote(one: Watched, reason: string, logger: HealthOptions['logger']): void {
  const { name: dependency, isVital: is_vital } = one.dependency;
  const isStarting = is_vital && !one.wasUp;
  const wasTold = one.failures >= FAILURES_UNTIL_DOWN;
  if (reason === '') {
    if (isStarting) one.firstWait.isOver('there');
    else if (wasTold) logger.info({ dependency, is_vital }, 'dependency is back');
    Object.assign(one, { wasUp: true, failures: 0, reason });
    return;
  }
  Object.assign(one, { failures: one.failures + 1, reason });
  if (isStarting) one.firstWait.goesOn(reason);
  // Others are given time to come back, or to start beside us.
  else if (one.failures === FAILURES_UNTIL_DOWN) logger.warn({ dependency, is_vital, reason }, 'dependency is away');
}

function isUp({ wasUp, failures }: Watched): boolean {
  return wasUp && failures === 0;
}

function isUsable({ dependency, wasUp, failures }: Watched): boolean {
  return !dependency.isVital || (wasUp && failures < FAILURES_UNTIL_DOWN);
}

function describe(one: Watched): DependencyState {
  const { name, isVital } = one.dependency;
  return { name, isVital, isUp: isUp(one), reason: one.reason || null };
}
