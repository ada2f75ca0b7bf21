import { JsonObject } from '../requests/json.ts';
import type { JsonValue } from '../requests/json.ts';
import { changeAt, withMember } from './json-tree.ts';
import { swapParam } from './renamed-fields.ts';
import type { RenamedField } from './version-change.ts';

/** Where a quote names fields of its request. */
const PLACES = ['assumptions[]', 'warnings[]', 'eligibility.reasons[]', 'binding_readiness.issues[]'];

/** A quote whose notices tell fields by the names of the other version. */
export function swapNotices(fields: readonly RenamedField[], quote: JsonObject): JsonObject {
  const swapped = PLACES.reduce<JsonValue>(
    (tree, place) => changeAt(tree, place, (notice) => swapNotice(fields, notice)),
    quote,
  );
  return swapped instanceof JsonObject ? swapped : quote;
}

function swapNotice(fields: readonly RenamedField[], notice: JsonObject): JsonObject {
  const param = notice.members.get('param');
  return typeof param === 'string' ? withMember(notice, 'param', swapParam(fields, param)) : notice;
}
