import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../routes/endpoints.ts';
import { apiVersions } from './api-versions.ts';
import { CHANGES, CURRENT_VERSION } from './changes.ts';
import { INVENTED } from './invented-change.test-support.ts';
import { renameMembers } from './json-tree.ts';
import type { VersionChange } from './version-change.ts';

const [ENDPOINT] = ENDPOINTS;

test('the current version costs nothing: endpoints and stored quotes are used as they are', () => {
  const versions = apiVersions([INVENTED]);
  const snapshot = {
    requestMembers: Buffer.from('no JSON'),
    pricedMembers: Buffer.from(''),
    apiVersion: versions.current,
  };
  assert.ok(ENDPOINT);
  assert.equal(versions.speak(ENDPOINT, versions.current), ENDPOINT);
  assert.equal(versions.upgrade(snapshot), snapshot);
});

test('a quote without a version is in the shape of the first', () => {
  const versions = apiVersions([]);
  const snapshot = { requestMembers: Buffer.from('no JSON'), pricedMembers: Buffer.from(''), apiVersion: '' };
  assert.equal(versions.upgrade(snapshot), snapshot);
});

test('changes come in the order of their dates, each real and later than the one before', () => {
  const dates = CHANGES.map(({ version }) => version);
  assert.deepEqual(dates, [...new Set(dates)].sort());
  const versions = apiVersions(CHANGES);
  for (const date of dates) assert.equal(versions.choose(date), date);
  assert.deepEqual([versions.current, CURRENT_VERSION], Array(2).fill(dates.at(-1) ?? '2026-09-23'));
});

test('a stored quote passes through every change since its version, and no other', () => {
  const step = (version: string, [from, to]: readonly [string, string]): VersionChange => ({
    ...INVENTED,
    version,
    upgradeQuote: (members) => renameMembers(members, (name) => (name === from ? to : name)),
  });
  const versions = apiVersions([step('2027-01-01', ['a', 'b']), step('2028-01-01', ['b', 'c'])]);
  const upgraded = (apiVersion: string, name: string) => {
    const snapshot = { requestMembers: Buffer.from(`"${name}":1`), pricedMembers: Buffer.from(''), apiVersion };
    return Buffer.from(versions.upgrade(snapshot).requestMembers).toString();
  };
  assert.deepEqual(
    [upgraded('', 'a'), upgraded('2027-01-01', 'b'), upgraded('2027-01-01', 'a')],
    ['"c":1', '"c":1', '"a":1'],
  );
});
