import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { pino } from 'pino';
import { unavailable } from './errors.ts';
import { waitedFor } from './health-wait.ts';
import { untilReady, watchHealth } from './health.ts';
import type { Dependency, Health, HealthState } from './health.ts';

const EVERY_MS = 2_000;
const LOOK_TIMEOUT_MS = 5_000;

/** How a look goes: well, badly, or without an answer. */
type Outcome = 'well' | 'bad' | 'hangs';

/** Time stands still until it is moved. */
function stopTime(t: TestContext): void {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
}

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

const SILENT = pino({ level: 'silent' });

/** Looks that have no answer yet. */
let hanging = 0;

/** Until the next look at each dependency has come to an end. */
async function passToNextLook(): Promise<void> {
  mock.timers.tick(EVERY_MS);
  await endLooks();
}

async function endLooks(): Promise<void> {
  await settle();
  if (hanging === 0) return;
  hanging = 0;
  mock.timers.tick(LOOK_TIMEOUT_MS);
  await settle();
}

function dependencyOf(outcomes: Iterator<Outcome>, parts: Partial<Dependency> = {}): Dependency {
  const check = async () => {
    const { value } = outcomes.next();
    if (value === 'bad') throw unavailable(new Error('connect ECONNREFUSED'));
    if (value !== 'hangs') return;
    hanging += 1;
    await new Promise(() => {});
  };
  return { name: 'postgresql', isVital: true, everyMs: EVERY_MS, check, ...parts };
}

async function watchOne(dependency: Dependency) {
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const watching = watchHealth({ dependencies: [dependency], logger });
  await endLooks();
  const health = await watching;
  const stateOf = () => health.report().state;
  return { health, lines, stateOf, dependency: () => health.report().dependencies[0] };
}

const SEQUENCES: readonly { readonly promise: string; readonly looks: string; readonly states: string }[] = [
  { promise: 'ready after the first good look', looks: '+', states: 'r' },
  { promise: 'still starting, however often what is vital fails', looks: '-----', states: 'sssss' },
  { promise: 'ready as soon as what was away at the start is there', looks: '--+', states: 'ssr' },
  { promise: 'ready through two failed looks in a row, time and again', looks: '+--+--+', states: 'rrrrrrr' },
  { promise: 'not ready from the third failed look in a row on', looks: '+----', states: 'rrruu' },
  { promise: 'ready again at the first good look', looks: '+---+', states: 'rrrur' },
  { promise: 'treating a look without an answer as a failed one', looks: '+???+', states: 'rrrur' },
];
const OUTCOMES: Readonly<Record<string, Outcome>> = { '+': 'well', '-': 'bad', '?': 'hangs' };
const STATES: Readonly<Record<string, HealthState>> = { s: 'starting', r: 'ready', u: 'unready' };

for (const { promise, looks, states } of SEQUENCES) {
  test(`a service is ${promise}`, async (t) => {
    stopTime(t);
    const outcomes = looks.split('').map((look) => OUTCOMES[look] ?? 'well');
    const { health, stateOf } = await watchOne(dependencyOf(outcomes.values()));
    const seen = [stateOf()];
    while (seen.length < looks.length) {
      await passToNextLook();
      seen.push(stateOf());
    }
    assert.deepEqual(
      seen,
      states.split('').map((letter) => STATES[letter]),
    );
    health.stop();
  });
}

test('whatever the looks come to, the state follows from them, and changes are told once', async (t) => {
  stopTime(t);
  const anyLooks = fc.array(fc.constantFrom<Outcome>('well', 'well', 'bad', 'hangs'), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anyLooks, async (outcomes) => {
      const { health, stateOf, dependency } = await watchOne(dependencyOf(outcomes.values()));
      const told: HealthState[] = [];
      health.onChange((state) => told.push(state));
      const seen = [stateOf()];
      for (let looks = 1; looks <= outcomes.length; looks += 1) {
        const past = outcomes.slice(0, looks);
        assert.equal(stateOf(), expectedState(past));
        assert.equal(dependency()?.isUp, past.at(-1) === 'well');
        assert.equal(dependency()?.reason === null, past.at(-1) === 'well');
        if (looks < outcomes.length) await passToNextLook();
        seen.push(stateOf());
      }
      assert.deepEqual(
        told,
        seen.filter((state, index) => index > 0 && state !== seen[index - 1]),
      );
      health.stop();
    }),
    { numRuns: 60 },
  );
});

/** The rules once more, by counting from the end. */
function expectedState(past: readonly Outcome[]): HealthState {
  if (!past.includes('well')) return 'starting';
  return past.length - 1 - past.lastIndexOf('well') >= 3 ? 'unready' : 'ready';
}

test('what is not vital is shown and told of, and changes nothing', async (t) => {
  stopTime(t);
  const looks: Outcome[] = ['bad', 'bad', 'well', 'bad', 'bad', 'bad', 'well'];
  const { health, lines, stateOf, dependency } = await watchOne(dependencyOf(looks.values(), { isVital: false }));
  await settle();
  assert.deepEqual(dependency(), { name: 'postgresql', isVital: false, isUp: false, reason: 'connect ECONNREFUSED' });
  for (let looked = 1; looked < looks.length; looked += 1) {
    assert.equal(stateOf(), 'ready');
    await passToNextLook();
  }
  assert.equal(dependency()?.isUp, true);
  assert.deepEqual(lines, ['dependency is away', 'dependency is back']);
  health.stop();
});

test('what a start waits for is told of at once and once, and shown to probes until it is there', async (t) => {
  stopTime(t);
  const { health, lines, dependency } = await watchOne(dependencyOf((['bad', 'bad', 'well'] as const).values()));
  assert.deepEqual(waitedFor(), [dependency()]);
  assert.deepEqual(lines, ['waiting for a dependency before starting']);
  for (let looks = 0; looks < 2; looks += 1) await passToNextLook();
  assert.deepEqual(lines, ['waiting for a dependency before starting', 'dependency is there: starting']);
  assert.deepEqual(waitedFor(), []);
  health.stop();
});

test('a start that is given up waits for nothing any more', async (t) => {
  stopTime(t);
  const { health, lines } = await watchOne(dependencyOf((['bad'] as const).values()));
  health.stop();
  assert.deepEqual(waitedFor(), []);
  assert.equal(lines.length, 1);
});

test('what is not vital is looked at in its own time from the start on', async (t) => {
  stopTime(t);
  let looks = 0;
  const check = async () => {
    looks += 1;
    throw new Error('away');
  };
  const { health } = await watchOne(dependencyOf([].values(), { check, isVital: false }));
  await settle();
  mock.timers.tick(EVERY_MS - 1);
  await settle();
  assert.equal(looks, 1);
  mock.timers.tick(1);
  await settle();
  assert.equal(looks, 2);
  health.stop();
});

test('a start does not wait for what is not vital', async (t) => {
  stopTime(t);
  t.after(() => (hanging = 0));
  const dependency = dependencyOf(['hangs' as const].values(), { isVital: false });
  const health = await watchHealth({ dependencies: [dependency], logger: SILENT });
  assert.equal(health.report().state, 'ready');
  health.stop();
});

test('what is vital must be well all at once', async (t) => {
  stopTime(t);
  const one = dependencyOf((['well', 'bad', 'bad', 'bad', 'well'] as const).values());
  const other = dependencyOf((['bad', 'bad', 'bad', 'bad', 'well'] as const).values(), { name: 'mongodb' });
  const health = await watchHealth({ dependencies: [one, other], logger: SILENT });
  const seen: HealthState[] = [];
  health.onChange((state) => seen.push(state));
  for (let looks = 0; looks < 3; looks += 1) await passToNextLook();
  assert.deepEqual(seen, []);
  await passToNextLook();
  assert.deepEqual(seen, ['ready']);
  health.stop();
});

test('whoever waits until it is ready goes on then, and at once where it is ready already', async (t) => {
  stopTime(t);
  const { health } = await watchOne(dependencyOf((['bad', 'bad', 'well'] as const).values()));
  let isReady = false;
  const waiting = untilReady(health).then(() => (isReady = true));
  await passToNextLook();
  assert.equal(isReady, false);
  await passToNextLook();
  await waiting;
  await untilReady(health);
  health.stop();
});

test('draining is for good: nothing is ready any more, whatever comes of a look', async (t) => {
  stopTime(t);
  const { health, stateOf } = await watchOne(dependencyOf(Array<Outcome>(9).fill('well').values()));
  const seen: HealthState[] = [];
  health.onChange((state) => seen.push(state));
  health.beginDraining();
  health.beginDraining();
  await passToNextLook();
  assert.equal(stateOf(), 'draining');
  assert.deepEqual(seen, ['draining']);
  health.stop();
});

test('one that is watched later is shown with the others', async (t) => {
  stopTime(t);
  const { health } = await watchOne(dependencyOf(['well' as const].values()));
  health.watch(dependencyOf(['bad' as const].values(), { name: 'collector', isVital: false }));
  await settle();
  assert.deepEqual(namesOf(health), ['postgresql', 'collector']);
  assert.equal(health.report().state, 'ready');
  health.stop();
});

test('once stopped, nothing is looked at any more, and what the looks kept is let go of', async (t) => {
  stopTime(t);
  let looks = 0;
  const check = async () => void (looks += 1);
  let ends = 0;
  const end = async () => void (ends += 1);
  const { health } = await watchOne(dependencyOf([].values(), { check, end }));
  await passToNextLook();
  assert.equal(looks, 2);
  health.stop();
  assert.equal(ends, 1);
  await passToNextLook();
  assert.equal(looks, 2);
});

function namesOf(health: Health): readonly string[] {
  return health.report().dependencies.map(({ name }) => name);
}
