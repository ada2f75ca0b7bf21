import { oneLine, printableLines } from '@pfq/kit/mail-text';
import { bothTimes, dollars, percent, shortPercent } from './amounts.ts';
import type { Interest } from './interest.ts';

export type Fact = { readonly label: string; readonly value: string };

/** Everything that the email says, before it becomes text or HTML. Whatever came from others is printable, a line each. */
export type Content = {
  readonly subject: string;
  /** What a phone shows beside the subject. */
  readonly preview: string;
  readonly greeting: string;
  readonly lead: string;
  /** The chosen option in a nutshell. */
  readonly payments: { readonly down: string; readonly monthly: string };
  readonly amounts: readonly Fact[];
  readonly details: readonly Fact[];
  /** The insured's note, line by line; empty where there is none. */
  readonly note: readonly string[];
  readonly portalLink: string;
  readonly legal: string;
  readonly reason: string;
};

/** Long enough for nearly every name, short enough for what comes after it to be seen. */
const SUBJECT_NAME = 60;
const PREVIEW_NAME = 40;
/** As much as the public API takes. */
const MAX_FIELD = 255;

/** `portalUrl` is the broker portal's base address, without a slash at its end. */
export function contentOf(interest: Interest, { portalUrl }: { readonly portalUrl: string }): Content {
  const { option, quoteId } = interest;
  const insured = nameOf(interest.insuredName);
  const agency = nameOf(interest.agencyName);
  const broker = nameOf(interest.brokerName);
  const who = insured ?? 'Your client';
  const monthly = dollars(option.monthlyPayment);
  const isOne = option.termMonths === 1;
  const payments = `${option.termMonths} monthly payment${isOne ? '' : 's'} of ${monthly}`;
  const down = dollars(option.downPayment);
  const apr = percent(option.aprBasisPoints);
  return {
    subject: `${oneLine(who, SUBJECT_NAME)} is interested in ${payments}`,
    preview: `${oneLine(who, PREVIEW_NAME)} chose ${down} down, then ${option.termMonths} × ${monthly} a month, APR ${apr}`,
    greeting: broker === null ? 'Hello,' : `Hello ${broker},`,
    lead: `${who} has opened your premium finance quote and is interested in this option:`,
    payments: { down: `${down} down`, monthly: payments },
    amounts: [
      { label: 'Annual percentage rate (APR)', value: apr },
      { label: 'Finance charge', value: dollars(option.financeCharge) },
      { label: 'Amount financed', value: dollars(option.amountFinanced) },
      { label: 'Total of payments', value: dollars(option.totalOfPayments) },
      { label: `Down payment (${shortPercent(option.downPaymentBasisPoints)})`, value: down },
      { label: 'Total cost', value: dollars(option.totalCost) },
    ],
    details: [
      ...fact('Insured', insured),
      ...fact('Agency', agency),
      ...fact('Your reference', nameOf(interest.clientReferenceId)),
      ...fact('Quote', quoteId),
      ...fact('Option', option.optionId),
      ...fact('Received', bothTimes(interest.submittedAt)),
    ],
    note: interest.note === null ? [] : trimmed(printableLines(interest.note)),
    portalLink: `${portalUrl}/quotes/${encodeURIComponent(quoteId.toWellFormed())}`,
    legal: 'This is an estimate, not a premium finance agreement. The insured has signed nothing.',
    reason: `You get this email because you are the broker of this quote${agency === null ? '' : ` at ${agency}`}.`,
  };
}

/** Null where there is nothing to read. */
function nameOf(text: string | null): string | null {
  return oneLine(text ?? '', MAX_FIELD) || null;
}

function fact(label: string, value: string | null): readonly Fact[] {
  return value === null ? [] : [{ label, value: oneLine(value, MAX_FIELD) }];
}

/** Without the empty lines around. */
function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}
