import type { Statements } from '@pfq/kit/postgres';
import type { Actor } from './store.ts';

type Change = {
  readonly actor: Actor;
  readonly action:
    | 'agency.create'
    | 'agency.switch'
    | 'broker.register'
    | 'broker.status'
    | 'key.create'
    | 'key.revoke'
    | 'counters.reset';
  /** Id of what was changed. */
  readonly target: string;
  /** What it is now, in the public field names. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
};

/** Writes who changed what, in the transaction of the change. */
export async function recordChange(statements: Statements, { actor, action, target, details }: Change): Promise<void> {
  const values = [actor, action, target, JSON.stringify(details)];
  await statements.query('INSERT INTO audit_log (actor, action, target, details) VALUES ($1, $2, $3, $4)', values);
}
