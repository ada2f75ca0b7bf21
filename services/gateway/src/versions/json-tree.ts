import { JsonObject } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';

/** Where objects lie in a tree: `policies[].carrier`; empty for the tree itself. */
export type Place = string;

/** The tree with every object at a place changed; whatever is not there, or is no object, stays as it is. */
export function changeAt(tree: JsonValue, place: Place, change: (object: JsonObject) => JsonValue): JsonValue {
  return changeAlong(tree, stepsOf(place), change);
}

/** The object with its members under other names, in the same order. */
export function renameMembers({ members }: JsonObject, rename: (name: string) => string): JsonObject {
  return new JsonObject(new Map(Array.from(members, ([name, value]) => [rename(name), value])));
}

/** The object with one member replaced where it stands, or added at the end. */
export function withMember({ members }: JsonObject, name: string, value: JsonValue): JsonObject {
  return new JsonObject(new Map(members).set(name, value));
}

function stepsOf(place: Place): readonly string[] {
  return place.split(/\.|(?=\[\])/).filter((step) => step !== '');
}

function changeAlong(
  tree: JsonValue,
  [step, ...rest]: readonly string[],
  change: (object: JsonObject) => JsonValue,
): JsonValue {
  if (step === undefined) return tree instanceof JsonObject ? change(tree) : tree;
  if (step === '[]') return Array.isArray(tree) ? tree.map((item) => changeAlong(item, rest, change)) : tree;
  const member = tree instanceof JsonObject ? tree.members.get(step) : undefined;
  if (!(tree instanceof JsonObject) || member === undefined) return tree;
  return withMember(tree, step, changeAlong(member, rest, change));
}
