import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheVersions } from './version-cache.ts';

function countedReads(limit: number) {
  const reads: number[] = [];
  const read = cacheVersions(limit, async (version: number) => {
    reads.push(version);
    return `version ${version}`;
  });
  return { reads, read };
}

test('a version is read once, also by callers that want it at the same time', async () => {
  const { reads, read } = countedReads(2);
  assert.deepEqual(await Promise.all([read(1), read(1)]), ['version 1', 'version 1']);
  assert.equal(await read(1), 'version 1');
  assert.deepEqual(reads, [1]);
});

test('no more versions than the limit are remembered, and the one used longest ago goes first', async () => {
  const { reads, read } = countedReads(2);
  for (const version of [1, 2, 1, 3, 1, 2]) await read(version);
  assert.deepEqual(reads, [1, 2, 3, 2]);
});

test('a failed read is tried again', async () => {
  let isAway = true;
  const read = cacheVersions(2, async (version: number) => {
    if (isAway) throw new Error('away');
    return version;
  });
  await assert.rejects(read(1), /away/);
  isAway = false;
  assert.equal(await read(1), 1);
});
