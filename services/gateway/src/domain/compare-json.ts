export type Difference = { readonly param: string; readonly stored: string; readonly repriced: string };

/** Every place where two JSON texts differ, in the order of the first; empty text where one has nothing there. */
export function compareJson(stored: string, repriced: string): Difference[] {
  if (stored === repriced) return [];
  const differences = [...compareValues('', JSON.parse(stored), JSON.parse(repriced))];
  return differences.length > 0 ? differences : [{ param: '', stored, repriced }];
}

function* compareValues(param: string, stored: unknown, repriced: unknown): Generator<Difference> {
  if (isComposite(stored) && isComposite(repriced) && Array.isArray(stored) === Array.isArray(repriced)) {
    const names = new Set([...Object.keys(stored), ...Object.keys(repriced)]);
    for (const name of names) {
      const path = Array.isArray(stored) ? `${param}[${name}]` : param === '' ? name : `${param}.${name}`;
      yield* compareValues(path, stored[name], repriced[name]);
    }
  } else if (JSON.stringify(stored) !== JSON.stringify(repriced)) {
    yield { param, stored: JSON.stringify(stored) ?? '', repriced: JSON.stringify(repriced) ?? '' };
  }
}

function isComposite(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
