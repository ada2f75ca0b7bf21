/** Every scope that a key can be granted. The last four are reserved and allow nothing yet. */
export const SCOPES = [
  'quotes:write',
  'quotes:read',
  'applications:read',
  'applications:write',
  'agreements:write',
  'loans:read',
  'webhooks:manage',
] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
