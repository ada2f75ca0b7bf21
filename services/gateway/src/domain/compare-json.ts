/** One value that came out otherwise: its path ("" for the text as such), and the JSON of both; empty where one has none. */
export type Difference = { readonly param: string; readonly stored: string; readonly repriced: string };

/** Characters shown before and after the place where two texts part. */
const SHOWN_BEFORE = 20;
const SHOWN_AFTER = 60;

/**
 * Every value in which two JSON texts differ, in the order of the first. Where the stored text is broken, or differs in
 * its spelling alone, the place where the texts part.
 */
export function compareJson(stored: string, repriced: string): Difference[] {
  if (stored === repriced) return [];
  const parsed = parse(stored);
  const differences = parsed === undefined ? [] : compareValues('', parsed, JSON.parse(repriced));
  return differences.length > 0 ? differences : [partingOf(stored, repriced)];
}

function partingOf(stored: string, repriced: string): Difference {
  let at = 0;
  while (stored[at] === repriced[at]) at += 1;
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - SHOWN_BEFORE), at + SHOWN_AFTER));
  return { param: '', stored: excerpt(stored), repriced: excerpt(repriced) };
}

/** The same for two values that are at `param` already, such as "policies". */
export function compareValues(param: string, stored: unknown, repriced: unknown): Difference[] {
  if (isComposite(stored) && isComposite(repriced) && Array.isArray(stored) === Array.isArray(repriced)) {
    const names = [...new Set([...Object.keys(stored), ...Object.keys(repriced)])];
    return names.flatMap((name) => {
      const path = Array.isArray(stored) ? `${param}[${name}]` : param === '' ? name : `${param}.${name}`;
      return compareValues(path, memberOf(stored, name), memberOf(repriced, name));
    });
  }
  const texts = { stored: JSON.stringify(stored) ?? '', repriced: JSON.stringify(repriced) ?? '' };
  return texts.stored === texts.repriced ? [] : [{ param, ...texts }];
}

/** A member of a parsed JSON value; undefined where it has none. */
export function memberOf(value: unknown, name: string): unknown {
  return isComposite(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** What a JSON text says; undefined where it is broken. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isComposite(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
