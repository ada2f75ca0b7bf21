import type { ErrorDetail } from '@pfq/kit/errors';
import type { JsonValue } from '../requests/json.ts';
import { didYouMean } from '../requests/nearest.ts';
import { changeAt, renameMembers } from './json-tree.ts';
import type { RenamedField, VersionChange } from './version-change.ts';

type Problem = { readonly code: string; readonly param?: string | undefined; readonly message: string };

const HINT = / Did you mean "([^"]*)"\?$/;

/*
 * Older and newer name change places, in both directions alike. So what a caller of the version before sends under the newer
 * name, which it cannot know, becomes a field that does not exist, is refused as such, and is told by the name that was sent.
 */

/** A request's body in the names of the other version. */
export function swapFields(fields: readonly RenamedField[], body: JsonValue): JsonValue {
  return fields.reduce(
    (tree, field) => changeAt(tree, field.place, (object) => renameMembers(object, (name) => swapName(field, name))),
    body,
  );
}

/** A query in the names of the other version. */
export function swapParameters(fields: readonly RenamedField[], query: string): string {
  const own = fields.filter(({ place }) => place === '');
  const swap = (name: string) => own.reduce((swapped, field) => swapName(field, swapped), name);
  return query.replaceAll(/(?<=^|&)[^=&]+/g, swap);
}

/** A path such as `policies[0].carrier.name` in the names of the other version. */
export function swapParam(fields: readonly RenamedField[], param: string): string {
  return fields.reduce((path, field) => {
    const { start, name, rest } = split(field, path);
    return start + swapName(field, name) + rest;
  }, param);
}

/** A problem as the version before knows the request: its param, and the message with its hint at a field. */
export function tellOlder(
  { renamedFields: fields, downgradeParam }: VersionChange,
  { code, param, message }: Problem,
): ErrorDetail {
  if (param === undefined) return { code, message };
  const told = downgradeParam(swapParam(fields, param));
  const words = message.startsWith(`${param} `) ? told + message.slice(param.length) : message;
  return { code, param: told, message: code === 'UNKNOWN_FIELD' ? hintAtOlder(fields, { told, words }) : words };
}

/** Renamed fields are hinted at by their older names, and never by their newer ones. */
function hintAtOlder(
  fields: readonly RenamedField[],
  { told, words }: { readonly told: string; readonly words: string },
): string {
  const siblings = fields.filter((field) => split(field, told).name !== '');
  const hinted = HINT.exec(words)?.[1];
  if (hinted !== undefined && !siblings.some(({ newer }) => newer === hinted)) return words;
  const name = /[^.[\]"]*$/.exec(told)?.[0] ?? '';
  return (
    words.replace(HINT, '') +
    didYouMean(
      name,
      siblings.map(({ older }) => older),
    )
  );
}

function swapName({ older, newer }: RenamedField, name: string): string {
  return name === older ? newer : name === newer ? older : name;
}

/** The part of a path before a field's name, the name of what lies there, and the rest; all in `rest` where it leads elsewhere. */
function split({ place }: RenamedField, path: string): { start: string; name: string; rest: string } {
  for (const { index, 0: name } of path.matchAll(/(?<=^|\.)\w+/g)) {
    const start = path.slice(0, index);
    if (start.replace(/\.$/, '').replaceAll(/\[\d+\]/g, '[]') !== place) continue;
    return { start, name, rest: path.slice(index + name.length) };
  }
  return { start: '', name: '', rest: path };
}
