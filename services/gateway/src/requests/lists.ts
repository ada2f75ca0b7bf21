import { kindOf } from '@pfq/kit/json';
import type { Place } from '@pfq/kit/problems';
import type { Schema } from './schema.ts';

/** A list of items of one kind. A list over its limit has that one problem: its items are not looked at. */
export function list<T>(item: Schema<T>, limits: { least: 0 | 1; most?: number }): Schema<readonly T[]> {
  const { least, most = Infinity } = limits;
  return {
    read(value, place) {
      if (!Array.isArray(value)) return place.refuse('INVALID_TYPE', `must be an array; ${kindOf(value)} was sent.`);
      if (value.length < least) return place.refuse('TOO_FEW', 'must have at least one item.');
      if (value.length > most) return refuseTooMany(place, { most, sent: value.length });
      const read: T[] = [];
      for (const [index, sent] of value.entries()) {
        const one = item.read(sent, place.item(index));
        if (one !== undefined) read.push(one);
      }
      return read.length === value.length ? read : undefined;
    },
    toJsonSchema: () => ({
      type: 'array',
      items: item.toJsonSchema(),
      ...(least === 0 ? {} : { minItems: least }),
      ...(limits.most === undefined ? {} : { maxItems: limits.most }),
    }),
  };
}

export function refuseTooMany(place: Place, { most, sent }: { most: number; sent: number }): undefined {
  return place.refuse('TOO_MANY', `must have at most ${most} items; ${sent} were sent.`);
}
