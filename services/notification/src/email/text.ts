import type { Content, Fact } from './content.ts';

/** The email for readers of plain text. A line of the note begins with "> ", which no line of ours does. */
export function toText(content: Content): string {
  const { preview, greeting, lead, payments, amounts, details, note, portalLink, legal, reason } = content;
  return [
    preview,
    '',
    greeting,
    '',
    lead,
    '',
    `  ${payments.down}, then ${payments.monthly}`,
    '',
    ...table(amounts),
    ...(note.length === 0 ? [] : ['', 'Their note:', '', ...note.map((line) => `> ${line}`.trimEnd())]),
    '',
    'Open the quote in the portal:',
    portalLink,
    '',
    ...table(details),
    '',
    legal,
    reason,
    '',
  ].join('\n');
}

function table(facts: readonly Fact[]): readonly string[] {
  const width = Math.max(...facts.map(({ label }) => label.length));
  return facts.map(({ label, value }) => `  ${label.padEnd(width)}  ${value}`);
}
