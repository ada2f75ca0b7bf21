/** One value that came out otherwise: its path, and the JSON of both; empty text where one has nothing there. */
export type Difference = { readonly param: string; readonly stored: string; readonly repriced: string };

/** Every place where two JSON texts differ, in the order of the first; one for the whole where the stored text is broken. */
export function compareJson(stored: string, repriced: string): Difference[] {
  if (stored === repriced) return [];
  const whole = [{ param: '', stored, repriced }];
  const parsed = parse(stored);
  if (parsed === undefined) return whole;
  const differences = compareValues('', parsed, JSON.parse(repriced));
  return differences.length > 0 ? differences : whole;
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
