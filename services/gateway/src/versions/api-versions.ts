import { unavailable } from '@pfq/kit/errors';
import { JsonObject, readJson } from '@pfq/kit/json';
import { writeJson } from '@pfq/kit/json-writer';
import type { Snapshot } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { chooseVersion, FIRST_VERSION } from '../domain/api-version.ts';
import type { ApiVersion } from '../domain/api-version.ts';
import type { Endpoint } from '../routes/endpoint.ts';
import { inOlderVersion } from './older-endpoint.ts';
import type { VersionChange } from './version-change.ts';

/** The versions of the public API, and how to speak each of them. */
export type ApiVersions = ReturnType<typeof apiVersions>;

type Members = Pick<Snapshot, 'requestMembers' | 'pricedMembers' | 'apiVersion'>;

/** Versions that follow from their changes, which come oldest first. Where the current version is spoken, nothing is parsed. */
export function apiVersions(changes: readonly VersionChange[]) {
  const issued = changes.filter(({ isIssued }) => isIssued).map(({ version }) => version);
  const current = issued.at(-1) ?? FIRST_VERSION;
  const known = changes.at(-1)?.version ?? FIRST_VERSION;
  const changesBetween = (older: ApiVersion, newer: ApiVersion) =>
    changes.filter(({ version }) => version > older && version <= newer);
  return {
    current,
    /** The version that serves a request. Throws INVALID_API_VERSION. */
    choose: (pinned: string | undefined) => chooseVersion(pinned, [FIRST_VERSION, ...issued]),
    /** The endpoint for callers of a version. */
    speak(endpoint: Endpoint, version: ApiVersion): Endpoint {
      return version === current ? endpoint : inOlderVersion(endpoint, changesBetween(version, current));
    },
    /**
     * A quote's stored members in the shape of the current version. Throws SERVICE_UNAVAILABLE where a later release, which
     * is being rolled out, stored them in a version that this one does not know.
     */
    toCurrent(snapshot: Members): Members {
      const version = snapshot.apiVersion === '' ? FIRST_VERSION : snapshot.apiVersion;
      if (version === current) return snapshot;
      if (version > known) throw unavailable(new Error(`a quote is stored in the version ${version}, not known here`));
      const older = changesBetween(version, current);
      const newer = changesBetween(current, version);
      const convert = (quote: JsonObject) =>
        newer.reduceRight(
          (converted, { downgrade }) => downgrade.quote(converted),
          older.reduce((converted, { upgradeQuote }) => upgradeQuote(converted), quote),
        );
      return {
        requestMembers: convertMembers(snapshot.requestMembers, convert),
        pricedMembers: convertMembers(snapshot.pricedMembers, convert),
        apiVersion: current,
      };
    },
  };
}

function convertMembers(members: Uint8Array, convert: (quote: JsonObject) => JsonObject): Uint8Array {
  const stored = readJson(Buffer.concat([Buffer.from('{'), members, Buffer.from('}')]));
  if (!(stored instanceof JsonObject)) throw new Error('the stored members are no members of an object');
  return Buffer.from(writeJson(convert(stored)).slice(1, -1));
}
