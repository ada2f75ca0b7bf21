import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CHART, render } from './render.ts';

type Tree = { readonly [name: string]: unknown };

/** Values that hold whatever a platform wants to pass on. */
const FREE =
  /(labels|annotations|Annotations|Labels|nodeSelector|affinity|environment|resourceAttributes|requests|limits)$/;

/** Values that null clears as an empty map or list does. */
const CLEARED =
  /^defaults\.(environment|podAnnotations|podLabels|nodeSelector|tolerations|affinity|topologySpreadConstraints|priorityClassName)$|\.resources\.(requests|limits)$/;

/** The schema of values knows every value of the chart, and nothing else. */
export function schemaOfValues(): void {
  const { isValid, problemsOf } = schema();

  it('every value of the chart is one that the schema knows', () => {
    assert.ok(isValid(defaults()), problemsOf());
  });

  it('beside every value there is none that it could be misspelt as, but where a platform passes on its own', () => {
    const places = placesOf(defaults()).filter((place) => !FREE.test(place.join('.')));
    assert.ok(places.length > 30);
    const accepted = places.filter((place) => isValid(withMember(defaults(), [...place, 'misspelt'])));
    assert.deepEqual(
      accepted.map((place) => place.join('.')),
      [],
    );
  });

  it('no value on which a template relies can be taken away: Helm leaves out what is null, and that is told', () => {
    const places = placesOf(defaults()).filter((place) => !FREE.test(place.join('.')));
    const members = places.flatMap((place) => Object.keys(at(defaults(), place)).map((name) => [...place, name]));
    assert.ok(members.length > 100);
    const silent = members.filter((place) => isValid(without(defaults(), place)));
    assert.deepEqual(
      silent.map((place) => place.join('.')).filter((place) => !CLEARED.test(place)),
      [],
    );
  });

  it('a service takes every value that all services have', async () => {
    const shared: Tree = parse(JSON.stringify(defaults()['defaults']));
    for (const service of ['gateway', 'pricing', 'quoteStore', 'application', 'notification', 'hostedPage']) {
      const own = { [service]: { ...(defaults()[service] as Tree), ...shared } };
      assert.ok(isValid({ ...defaults(), ...own }), `${service}: ${problemsOf()}`);
    }
    await render({ values: { hostedPage: shared } });
  });
}

function schema() {
  const validate = new Ajv({ allErrors: true, strict: false }).compile(
    JSON.parse(readFileSync(path.join(CHART, 'values.schema.json'), 'utf8')),
  );
  return {
    isValid: (values: object) => validate(values),
    problemsOf: () => JSON.stringify(validate.errors),
  };
}

function defaults(): Tree {
  return parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8'));
}

/** The path of every map in a tree, its own included. */
function placesOf(tree: Tree, place: readonly string[] = []): readonly (readonly string[])[] {
  const below = Object.entries(tree).flatMap(([name, member]) =>
    isTree(member) ? placesOf(member, [...place, name]) : [],
  );
  return [place, ...below];
}

function withMember(tree: Tree, [name = '', ...others]: readonly string[]): Tree {
  const member = tree[name];
  return { ...tree, [name]: others.length === 0 ? 'x' : withMember(isTree(member) ? member : {}, others) };
}

function at(tree: Tree, place: readonly string[]): Tree {
  return place.reduce((below, name) => below[name] as Tree, tree);
}

function without(tree: Tree, [name = '', ...others]: readonly string[]): Tree {
  const { [name]: member, ...rest } = tree;
  return others.length === 0 ? rest : { ...tree, [name]: without(isTree(member) ? member : {}, others) };
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
