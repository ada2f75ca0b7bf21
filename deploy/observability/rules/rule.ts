/** `page`: somebody is woken. `ticket`: somebody looks in working hours. */
export type Severity = 'page' | 'ticket';

export type Alert = {
  readonly alert: string;
  readonly severity: Severity;
  readonly expr: string;
  /** How long it must hold, such as `2m`; absent where the windows of the expression see to that. */
  readonly for?: string;
  readonly summary: string;
  /** What users notice, and what the numbers are. */
  readonly description: string;
};

export type Recording = { readonly record: string; readonly expr: string };

export type Group = { readonly name: string; readonly rules: readonly (Alert | Recording)[] };

/** The file of an alert's runbook, without its ending: `quote-creation-fails`. */
export function runbookOf({ alert }: Pick<Alert, 'alert'>): string {
  return alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}
