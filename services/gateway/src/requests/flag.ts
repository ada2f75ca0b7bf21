import { kindOf } from '@pfq/kit/json';
import type { Schema } from './schema.ts';

/** True or false. */
export const flag: Schema<boolean> = {
  read: (value, place) =>
    typeof value === 'boolean'
      ? value
      : place.refuse('INVALID_TYPE', `must be true or false, without quotes; ${kindOf(value)} was sent.`),
  toJsonSchema: () => ({ type: 'boolean' }),
};
