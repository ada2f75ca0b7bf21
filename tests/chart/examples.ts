import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { CHART } from './render.ts';

/** The Secret that the guide, the README and the profiles make for the release. */
const OF_THE_RELEASE = 'pfq';
const FOLDER = path.join(CHART, 'examples');

/** As much as is asked of whatever object of an operator. */
type Made = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly secretName?: string; readonly issuerRef?: { readonly name: string } };
};

/** What examples must not do to the release and to one another; schemas.test.ts holds each to its operator's definitions. */
export function examples(): void {
  it('no operator writes into the Secret of the release', () => {
    const made = [...userSecrets(), ...certificates().map(({ spec }) => spec?.secretName ?? '')];
    assert.ok(made.length > 1);
    assert.ok(!made.includes(OF_THE_RELEASE), made.join());
  });

  it('the authority of calls between services signs nothing else', () => {
    const { mutualTls } = parse(readFileSync(path.join(FOLDER, 'cert-manager.values.yaml'), 'utf8'));
    assert.ok(objects('Issuer').some(({ metadata }) => metadata.name === mutualTls.issuerRef.name));
    const others = certificates().filter(({ spec }) => spec?.issuerRef?.name === mutualTls.issuerRef.name);
    assert.deepEqual(others, []);
  });
}

/** Strimzi keeps a user's password in a Secret of the user's name. */
function userSecrets(): readonly string[] {
  return objects('KafkaUser').map(({ metadata }) => metadata.name);
}

function certificates(): readonly Made[] {
  return objects('Certificate');
}

function objects(kind: string): readonly Made[] {
  const files = globSync('*.yaml', { cwd: FOLDER }).filter((file) => !file.endsWith('.values.yaml'));
  const texts = files.map((file) => readFileSync(path.join(FOLDER, file), 'utf8'));
  const all: readonly Made[] = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
  return all.filter((object) => object.kind === kind);
}
