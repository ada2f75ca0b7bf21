import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestAborted } from './body.ts';
import { takingTurns } from './turns.ts';

const here = () => false;

test('callers go on in the order in which they came, the first at once', async () => {
  const takeTurn = takingTurns();
  const gone: number[] = [];
  await Promise.all([1, 2, 3].map((n) => takeTurn(here).then(() => gone.push(n))));
  assert.deepEqual(gone, [1, 2, 3]);
});

test('between two turns others are served', async () => {
  const takeTurn = takingTurns();
  let served = 0;
  const serving = setInterval(() => (served += 1), 5);
  await Promise.all([takeTurn(here), takeTurn(here)]);
  clearInterval(serving);
  assert.ok(served > 5, `${served} others`);
});

test('whoever has hung up takes no turn', async () => {
  const takeTurn = takingTurns();
  const turns = [takeTurn(here), takeTurn(() => true), takeTurn(here)];
  const [, hungUp] = await Promise.allSettled(turns);
  assert.ok(hungUp?.status === 'rejected' && hungUp.reason instanceof RequestAborted);
});

test('more than 64 do not wait: the next is told to come back, and the queue moves on', async () => {
  const takeTurn = takingTurns();
  const isOver = { value: false };
  const turns = Array.from({ length: 66 }, (_, n) => takeTurn(() => n > 0 && isOver.value));
  await assert.rejects(turns[65] ?? assert.fail(), { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 });
  isOver.value = true;
  await Promise.allSettled(turns);
  await takeTurn(here);
});
