import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCES } from './sources.ts';

test('every statement names its columns, so that a later release may add one', () => {
  const careless = SOURCES.filter(({ file }) => file.startsWith('services/')).flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:SELECT|RETURNING)\s+(?:\w+\.)?\*/gi)].map(([words]) => `${file}: ${words}`),
  );
  assert.deepEqual(careless, []);
});
