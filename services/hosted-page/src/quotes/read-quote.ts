import { timestampDate } from '@bufbuild/protobuf/wkt';
import { readMembers } from '@pfq/kit/json-members';
import type { Members } from '@pfq/kit/json-members';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import type { HostedQuote } from '@pfq/proto/quotestore/v1/hosted_quote_pb';
import { QuoteStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Snapshot, StoredQuote } from '@pfq/proto/quotestore/v1/quote_store_pb';
import type { Interest, Option, Quote } from '../domain/quote.ts';

/** The versions of the public API in whose shape quotes are read here; empty stands for the first. */
const KNOWN_VERSIONS = new Set(['', '2026-09-23']);

/** A quote as the store gave it. Throws an Error where it is not what a quote store of this release keeps. */
export function readQuote({ quote: stored, parties }: HostedQuote): Quote {
  if (!stored?.snapshot) throw incomplete();
  const members = readSnapshot(stored.snapshot);
  const totals = members.object('totals');
  const eligibility = members.object('eligibility');
  const options = members.objects('options').map(readOption);
  const recommendedId = members.textOrNull('recommended_option_id');
  return {
    mode: readMode(stored.mode),
    status: statusOf(stored),
    insuredName: parties?.insuredName ?? null,
    agencyName: parties?.agencyName ?? null,
    broker: {
      name: parties?.brokerName ?? null,
      email: parties?.brokerEmail || members.object('broker').text('email'),
    },
    createdAt: members.instant('created_at'),
    expiresAt: members.instant('expires_at'),
    premium: totals.money('premium'),
    taxesAndFees: totals.money('taxes_and_fees'),
    total: totals.money('total'),
    financingStartDate: totals.text('financing_start_date'),
    policies: members.objects('policies').map((policy) => ({
      carrierName: policy.object('carrier').text('name'),
      total: policy.money('total'),
    })),
    ineligibleBecause: eligibility.text('status') === 'eligible' ? [] : codesOf(eligibility.objects('reasons')),
    assumptions: codesOf(members.objects('assumptions')),
    warnings: codesOf(members.objects('warnings')),
    options,
    recommended: recommendedId === null ? null : optionOf(options, recommendedId),
    interest: readInterest(stored, options),
  };
}

function readSnapshot({ requestMembers, pricedMembers, apiVersion }: Snapshot): Members {
  if (!KNOWN_VERSIONS.has(apiVersion)) {
    throw new Error(
      `the quote is stored in the shape of an API version that this release does not know: ${apiVersion}`,
    );
  }
  return readMembers(requestMembers, pricedMembers);
}

function readOption(option: Members): Option {
  return {
    id: option.text('id'),
    downPaymentRate: option.number('down_payment_rate'),
    termMonths: Number(option.number('term_months')),
    apr: option.number('apr'),
    downPayment: option.money('down_payment'),
    amountFinanced: option.money('amount_financed'),
    monthlyPayment: option.money('monthly_payment'),
    financeCharge: option.money('finance_charge'),
    totalOfPayments: option.money('total_of_payments'),
    totalCost: option.money('total_cost'),
  };
}

function readInterest({ status, interest }: StoredQuote, options: readonly Option[]): Interest | null {
  if (status !== QuoteStatus.INTERESTED) return null;
  if (!interest?.submittedAt) throw incomplete();
  const { optionId, note, submittedAt } = interest;
  return { option: optionOf(options, optionId), note: note || null, submittedAt: timestampDate(submittedAt) };
}

function optionOf(options: readonly Option[], id: string): Option {
  const option = options.find((one) => one.id === id);
  if (!option) throw new Error(`the stored quote names an option that it does not have: ${id}`);
  return option;
}

export function readMode(mode: Mode): Quote['mode'] {
  if (mode === Mode.LIVE) return 'live';
  if (mode === Mode.TEST) return 'test';
  throw new Error(`the quote has a mode that this release does not know: ${mode}`);
}

function statusOf({ status }: StoredQuote): Quote['status'] {
  if (status === QuoteStatus.ACTIVE) return 'active';
  if (status === QuoteStatus.EXPIRED) return 'expired';
  if (status === QuoteStatus.INTERESTED) return 'interested';
  throw new Error(`the stored quote has a status that this release does not know: ${status}`);
}

/** Each once, in the order of the quote. */
function codesOf(notices: readonly Members[]): readonly string[] {
  return [...new Set(notices.map((notice) => notice.text('code')))];
}

function incomplete(): Error {
  return new Error('the stored quote is incomplete');
}
