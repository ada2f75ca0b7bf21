import { ServiceError } from '@pfq/kit/errors';
import { JsonFault, JsonObject, readJson } from '@pfq/kit/json';
import type { JsonValue } from '@pfq/kit/json';

const NOTHING = new JsonObject(new Map());

/** Reads the body of a request; an empty one is `{}`. Throws INVALID_JSON, with line and column, where it is no JSON. */
export function parseBody(bytes: Uint8Array): JsonValue {
  if (bytes.length === 0) return NOTHING;
  try {
    return readJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new ServiceError('INVALID_JSON', { message: `The body is ${error.message}.` });
  }
}
