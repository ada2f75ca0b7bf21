import type { Snapshot } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { chooseVersion, FIRST_VERSION } from '../domain/api-version.ts';
import { JsonObject, readJson } from '../requests/json.ts';
import { writeJson } from '../requests/json-writer.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import { swapNotices } from './notices.ts';
import { inOlderVersion } from './older-endpoint.ts';
import type { VersionChange } from './version-change.ts';

/** The versions of the public API, and how to speak each of them. */
export type ApiVersions = ReturnType<typeof apiVersions>;

type Members = Pick<Snapshot, 'requestMembers' | 'pricedMembers' | 'apiVersion'>;

/** Versions that follow from their changes, which come oldest first. Where the current version is spoken, nothing is parsed. */
export function apiVersions(changes: readonly VersionChange[]) {
  const versions = [FIRST_VERSION, ...changes.map(({ version }) => version)] as const;
  const current = versions.at(-1) ?? FIRST_VERSION;
  const changesSince = (version: string) => changes.filter((change) => change.version > version);
  return {
    current,
    /** The version that serves a request. Throws INVALID_API_VERSION. */
    choose: (pinned: string | undefined) => chooseVersion(pinned, versions),
    /** The endpoint for callers of a version. */
    speak(endpoint: Endpoint, version: string): Endpoint {
      return version === current ? endpoint : inOlderVersion(endpoint, changesSince(version));
    },
    /** A quote's stored members in the shape of the current version. */
    upgrade(snapshot: Members): Members {
      const version = snapshot.apiVersion === '' ? FIRST_VERSION : snapshot.apiVersion;
      if (version === current) return snapshot;
      const since = changesSince(version);
      return {
        requestMembers: upgradeMembers(snapshot.requestMembers, since),
        pricedMembers: upgradeMembers(snapshot.pricedMembers, since),
        apiVersion: current,
      };
    },
  };
}

function upgradeMembers(members: Uint8Array, changes: readonly VersionChange[]): Uint8Array {
  const stored = readJson(Buffer.concat([Buffer.from('{'), members, Buffer.from('}')]));
  if (!(stored instanceof JsonObject)) throw new Error('the stored members are no members of an object');
  const upgraded = changes.reduce(
    (quote, change) => change.upgradeQuote(swapNotices(change.renamedFields, quote)),
    stored,
  );
  return Buffer.from(writeJson(upgraded).slice(1, -1));
}
