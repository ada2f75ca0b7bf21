import { parseMoney, sumCents } from '@pfq/kit/money';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../json.ts';
import { objectOf, unexpected, type WebAnswer } from './smoke-web.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A quote that was priced right, as far as its own amounts tell. */
export type PricedQuote = {
  readonly id: string;
  readonly hostedUrl: string;
  readonly optionIds: readonly string[];
  readonly fields: Fields;
};

const INSURED = 'Smoke Test Roofing LLC';

/** A deal that is eligible whenever it is sent, unless this installation declines it by its own settings. */
export function smokeDeal(now: Date): object {
  const firstOfNextMonth = (years: number) =>
    new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
  return {
    client_reference_id: 'smoke-test',
    insured: { name: INSURED, address: { state: 'TX' } },
    policies: [
      {
        premium: '20000.00',
        taxes_and_fees: [{ amount: '431.25', earned: false }],
        minimum_earned: { rate: 0.25 },
        effective_date: firstOfNextMonth(0),
        expiration_date: firstOfNextMonth(1),
        carrier: { name: 'Smoke Test Insurance Company' },
        coverages: [{ type: 'general_liability' }],
        auditable: false,
      },
    ],
  };
}

/** The quote of an answer. Throws a CommandFailure where it is none of test mode, has no options, or its amounts do not add up. */
export function readPriced(answer: WebAnswer): PricedQuote {
  const fields = objectOf(answer, 201);
  const { id, hosted_url: hostedUrl, livemode, eligibility, totals } = fields;
  if (typeof id !== 'string' || typeof hostedUrl !== 'string' || livemode !== false || !isRecord(totals)) {
    throw unexpected(answer, 'that is no quote of test mode');
  }
  const options = listOf(fields['options']);
  if (options.length === 0) {
    throw unexpected(answer, `${id} has no options: ${reasonsOf(eligibility)}`);
  }
  const wrong = options.find((option) => !addsUp(option, totals['total']));
  if (wrong) throw unexpected(answer, `the amounts of ${id}, ${String(wrong['id'])} do not add up`);
  return { id, hostedUrl, optionIds: options.map((option) => String(option['id'])), fields };
}

/** Throws a CommandFailure unless the answer is the same quote; its link is shown once alone. */
export function requireSame(answer: WebAnswer, { id, fields }: PricedQuote): void {
  const read = objectOf(answer, 200);
  if (!isDeepStrictEqual(read, { ...fields, hosted_url: null })) {
    throw unexpected(answer, `${id} is not what it was when it was made`);
  }
}

/** Throws a CommandFailure unless the answer is the page with the insured and every option of the quote. */
export function requirePage(answer: WebAnswer, { id, optionIds }: PricedQuote): void {
  if (answer.status !== 200) throw unexpected(answer, `that is not the page of ${id}`);
  const lacking = [INSURED, ...optionIds].find((word) => !answer.text.includes(word));
  if (lacking !== undefined) throw unexpected(answer, `the page of ${id} lacks ${lacking}`);
}

function addsUp(option: Fields, total: unknown): boolean {
  const down = centsOf(option['down_payment']);
  const financed = centsOf(option['amount_financed']);
  const charge = centsOf(option['finance_charge']);
  const payments = centsOf(option['total_of_payments']);
  const monthly = centsOf(option['monthly_payment']);
  const cost = centsOf(option['total_cost']);
  const whole = centsOf(total);
  const months = option['term_months'];
  if (down === null || financed === null || charge === null || payments === null) return false;
  if (monthly === null || cost === null || typeof months !== 'number' || !Number.isSafeInteger(months)) return false;
  return (
    sumCents([down, financed]) === whole &&
    sumCents([financed, charge]) === payments &&
    sumCents([down, payments]) === cost &&
    monthly * BigInt(months) === payments
  );
}

function centsOf(value: unknown) {
  return typeof value === 'string' ? parseMoney(value) : null;
}

function reasonsOf(eligibility: unknown): string {
  const reasons = listOf(isRecord(eligibility) ? eligibility['reasons'] : []);
  return reasons.map(({ code, message }) => `${String(code)}, ${String(message)}`).join(' ');
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
