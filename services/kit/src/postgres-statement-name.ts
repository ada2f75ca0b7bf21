import { createHash } from 'node:crypto';

const names = new Map<string, string>();

/** A short name by which each connection keeps the parsed and planned statement. */
export function statementName(sql: string): string {
  const known = names.get(sql);
  if (known) return known;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 22);
  names.set(sql, name);
  return name;
}
