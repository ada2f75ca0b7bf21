/** The fields of a form; null where one is repeated, as our own never does. What is no UTF-8 reads as U+FFFD. */
export function readFields(body: Buffer): ReadonlyMap<string, string> | null {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (fields.has(name)) return null;
    fields.set(name, value);
  }
  return fields;
}
