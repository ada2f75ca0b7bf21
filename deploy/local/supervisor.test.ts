import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { waitUntil } from './processes.ts';
import { createSupervisor, type Part } from './supervisor.ts';

/** A part that ends when told to, and writes down what happens to it. */
function fakePart(name: string, diary: string[], problems: readonly (string | null)[] = []) {
  let end: (how: string) => void = () => {};
  let starts = 0;
  const part: Part = {
    name,
    async start() {
      const problem = problems[starts] ?? null;
      starts += 1;
      if (problem !== null) throw new Error(problem);
      diary.push(`start ${name}`);
      const ended = new Promise<string>((resolve) => (end = resolve));
      const finish = async (word: string) => {
        diary.push(`${word} ${name}`);
        end(word);
      };
      return { ended, stop: () => finish('stop'), kill: () => void finish('kill') };
    },
  };
  return { part, crash: () => end('signal SIGSEGV') };
}

describe('a supervisor', () => {
  const backoff = { firstMs: 1, longestMs: 4 };

  test('ends the parts in the reverse of the order in which they were started', async () => {
    const diary: string[] = [];
    const supervisor = createSupervisor({ say: () => {}, backoff });
    await supervisor.start([fakePart('database', diary).part]);
    await supervisor.start([fakePart('pricing', diary).part, fakePart('gateway', diary).part]);
    await supervisor.stop();
    const expected = [
      'start database',
      'start pricing',
      'start gateway',
      'stop gateway',
      'stop pricing',
      'stop database',
    ];
    assert.deepEqual(diary, expected);
  });

  test('starts again what ends by itself, after pauses that double up to a limit, and says so in a line each', async () => {
    const said: string[] = [];
    const { part, crash } = fakePart('pricing', [], [null, 'no', 'no', 'no', null]);
    const supervisor = createSupervisor({ say: (line) => said.push(line), backoff });
    await supervisor.start([part]);
    crash();
    assert.ok(await waitUntil(() => said.includes('pricing is running again'), 5_000));
    await supervisor.stop();
    assert.deepEqual(said, [
      'pricing ended (signal SIGSEGV): starting it again in 0.001 s',
      'pricing ended (no): starting it again in 0.002 s',
      'pricing ended (no): starting it again in 0.004 s',
      'pricing ended (no): starting it again in 0.004 s',
      'pricing is running again',
    ]);
  });

  test('whose part does not start says why, and still ends the others', async () => {
    const diary: string[] = [];
    const supervisor = createSupervisor({ say: () => {}, backoff });
    const [good, bad] = [fakePart('good', diary), fakePart('bad', diary, ['no database'])];
    await assert.rejects(supervisor.start([good.part, bad.part]), /no database/);
    await supervisor.stop();
    assert.deepEqual(diary, ['start good', 'stop good']);
  });

  test('that is stopped while a part is starting ends that part too, and starts no more', async () => {
    const diary: string[] = [];
    const supervisor = createSupervisor({ say: () => {}, backoff });
    const starting = supervisor.start([fakePart('database', diary).part]);
    await supervisor.stop();
    await starting;
    assert.deepEqual(diary, ['start database', 'stop database']);
    await assert.rejects(supervisor.start([fakePart('pricing', diary).part]), { name: 'AbortError' });
  });

  test('that is stopped does not start again what it ended', async () => {
    const said: string[] = [];
    const supervisor = createSupervisor({ say: (line) => said.push(line), backoff });
    await supervisor.start([fakePart('pricing', []).part]);
    await supervisor.stop();
    assert.deepEqual(said, []);
  });
});
