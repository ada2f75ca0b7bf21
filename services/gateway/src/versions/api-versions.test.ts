import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@pfq/kit/json';
import { ENDPOINTS } from '../routes/endpoints.ts';
import { apiVersions } from './api-versions.ts';
import type { ApiVersions } from './api-versions.ts';
import { CHANGES } from './changes.ts';
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
  assert.equal(versions.toCurrent(snapshot), snapshot);
});

test('a quote without a version is in the shape of the first', () => {
  const versions = apiVersions([]);
  const snapshot = { requestMembers: Buffer.from('no JSON'), pricedMembers: Buffer.from(''), apiVersion: '' };
  assert.equal(versions.toCurrent(snapshot), snapshot);
});

test('changes come in the order of their dates, each real and later than the one before', () => {
  const dates = CHANGES.map(({ version }) => version);
  assert.deepEqual(dates, [...new Set(dates)].sort());
  const versions = apiVersions(CHANGES);
  for (const { version, isIssued } of CHANGES) if (isIssued) assert.equal(versions.choose(version), version);
});

/** A change that did nothing but rename a member of quotes. */
function renaming([older, newer]: readonly [string, string], version: string): VersionChange {
  const renamed = (from: string, to: string) => (members: JsonObject) =>
    renameMembers(members, (name) => (name === from ? to : name));
  const { downgrade } = INVENTED;
  return {
    ...INVENTED,
    version,
    upgradeQuote: renamed(older, newer),
    downgrade: { ...downgrade, quote: renamed(newer, older) },
  };
}

const FIRST_STEP = renaming(['a', 'b'], '2027-01-01');
const SECOND_STEP = renaming(['b', 'c'], '2028-01-01');

/** What a quote that was stored in a version with this one member is read as. */
function readStored(versions: ApiVersions, { apiVersion, name }: { apiVersion: string; name: string }): string {
  const snapshot = { requestMembers: Buffer.from(`"${name}":1`), pricedMembers: Buffer.from(''), apiVersion };
  return Buffer.from(versions.toCurrent(snapshot).requestMembers).toString();
}

test('a stored quote passes through every change since its version, and no other', () => {
  const versions = apiVersions([FIRST_STEP, SECOND_STEP]);
  assert.equal(readStored(versions, { apiVersion: '', name: 'a' }), '"c":1');
  assert.equal(readStored(versions, { apiVersion: '2027-01-01', name: 'b' }), '"c":1');
  assert.equal(readStored(versions, { apiVersion: '2027-01-01', name: 'a' }), '"a":1');
});

describe('a release that prepares for a version', () => {
  const versions = apiVersions([FIRST_STEP, { ...SECOND_STEP, isIssued: false }]);

  test('does not speak it yet', () => {
    assert.equal(versions.current, '2027-01-01');
    assert.equal(versions.choose('2028-01-01'), '2027-01-01');
  });

  test('reads quotes that the next release stores in it', () => {
    assert.equal(readStored(versions, { apiVersion: '2028-01-01', name: 'c' }), '"b":1');
    assert.equal(readStored(versions, { apiVersion: '', name: 'a' }), '"b":1');
  });

  test('answers that a quote in a version it has never heard of cannot be had now', () => {
    assert.throws(() => readStored(versions, { apiVersion: '2029-01-01', name: 'd' }), { code: 'SERVICE_UNAVAILABLE' });
    assert.throws(() => readStored(apiVersions([]), { apiVersion: '2027-01-01', name: 'b' }), {
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
