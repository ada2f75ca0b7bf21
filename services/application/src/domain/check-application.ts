import { BLOCKING_CODES, CARRIER_MATCHES, CREATED_VIA, DOCUMENT_TYPES, SELECTED_BY, STATUSES } from './application.ts';
import type { Application, Insured, MetadataPair, Policy, Pricing, Requirement } from './application.ts';
import {
  anyText,
  choice,
  date,
  email,
  fields,
  filledText,
  id,
  list,
  money,
  nullOr,
  onlyNull,
  optionId,
  rate,
  requirementCode,
  termMonths,
  webAddress,
} from './checks.ts';
import type { Check } from './checks.ts';
import type { Draft } from './draft.ts';

/** In code points, as in requests of the public API. */
const NAME_LENGTH = 200;
const TEXT_LENGTH = 255;
const DESCRIPTION_LENGTH = 500;
const METADATA_NAME_LENGTH = 40;
const METADATA_VALUE_LENGTH = 500;
const METADATA_PAIRS = 20;
/** Twice what a quote may have. */
const POLICIES = 50;
const REQUIREMENTS = 50;
/**
 * Of the whole, as JSON in UTF-8, which is longer than the same in a message. A page of 100 must fit into one message of
 * 16 MiB: 100 of these are 6.25 MiB. With every part as long as it may be by itself, it could be 442 KB.
 */
const WHOLE_BYTES = 64 * 1024;

/** Times that the public API can write: from 1970 to the end of the year 9999. */
const LATEST_MS = Date.UTC(10_000, 0) - 1;

const createdAt: Check<Date | null> = (value, place) => {
  if (value !== null && value.getTime() >= 0 && value.getTime() <= LATEST_MS) return;
  place.refuse('INVALID_VALUE', 'must be an instant from 1970 to 9999, to the millisecond.');
};

const metadata: Check<readonly MetadataPair[]> = (pairs, place) => {
  if (pairs.length > METADATA_PAIRS) {
    place.refuse('TOO_MANY', `must have at most ${METADATA_PAIRS} pairs; ${pairs.length} were sent.`);
  }
  const names = new Set<string>();
  for (const { name, value } of pairs) {
    const member = place.member(name);
    anyText(METADATA_NAME_LENGTH)(name, member);
    anyText(METADATA_VALUE_LENGTH)(value, member);
    if (names.has(name)) member.refuse('INVALID_VALUE', 'must be there once.');
    names.add(name);
  }
};

const pricing = fields<Draft<Pricing>>({
  optionId: ['option_id', nullOr(optionId)],
  downPaymentRate: ['down_payment_rate', rate],
  termMonths: ['term_months', termMonths],
  apr: ['apr', rate],
  downPayment: ['down_payment', money],
  amountFinanced: ['amount_financed', money],
  monthlyPayment: ['monthly_payment', money],
  financeCharge: ['finance_charge', money],
  totalOfPayments: ['total_of_payments', money],
  totalCost: ['total_cost', money],
  selectedBy: ['selected_by', choice(SELECTED_BY)],
});

const insured = fields<Draft<Insured>>({
  name: ['name', nullOr(anyText(NAME_LENGTH))],
  line1: ['address.line1', nullOr(anyText(NAME_LENGTH))],
  city: ['address.city', nullOr(anyText(NAME_LENGTH))],
  state: ['address.state', nullOr(anyText(TEXT_LENGTH))],
  postalCode: ['address.postal_code', nullOr(anyText(TEXT_LENGTH))],
});

const policy = fields<Draft<Policy>>({
  id: ['id', id('pol_')],
  carrierName: ['carrier.name', nullOr(anyText(NAME_LENGTH))],
  carrierMatch: ['carrier.match', choice(CARRIER_MATCHES)],
  total: ['total', nullOr(money)],
  effectiveDate: ['effective_date', nullOr(date)],
  expirationDate: ['expiration_date', nullOr(date)],
  documentType: ['document_type', nullOr(choice(DOCUMENT_TYPES))],
  policyNumber: ['policy_number', nullOr(anyText(TEXT_LENGTH))],
});

const blocking = fields<Requirement<string>>({
  code: ['code', choice(BLOCKING_CODES)],
  param: ['param', nullOr(anyText(TEXT_LENGTH))],
  description: ['description', filledText(DESCRIPTION_LENGTH)],
  dueBy: ['due_by', onlyNull('an item that blocks has no day')],
});

const outstanding = fields<Requirement<string>>({
  code: ['code', requirementCode],
  param: ['param', nullOr(anyText(TEXT_LENGTH))],
  description: ['description', filledText(DESCRIPTION_LENGTH)],
  dueBy: ['due_by', nullOr(date)],
});

const parts = fields<Draft<Application>>({
  id: ['id', id('app_')],
  status: ['status', choice(STATUSES)],
  createdVia: ['created_via', choice(CREATED_VIA)],
  quoteId: ['quote_id', nullOr(id('qte_'))],
  acceptedOptionId: ['accepted_option_id', nullOr(optionId)],
  pricing: ['pricing', nullOr(pricing)],
  insured: ['insured', insured],
  brokerEmail: ['broker.email', email],
  policies: ['policies', list(policy, POLICIES)],
  blocking: ['requirements.blocking', list(blocking, REQUIREMENTS)],
  outstanding: ['requirements.outstanding', list(outstanding, REQUIREMENTS)],
  portalUrl: ['portal_url', webAddress],
  clientReferenceId: ['client_reference_id', nullOr(anyText(TEXT_LENGTH))],
  metadata: ['metadata', metadata],
  createdAt: ['created_at', createdAt],
});

/** Everything that can be said of an application by itself: of the whole, then in the order of the public object. */
export const checkApplication: Check<Draft<Application>> = (application, place) => {
  const bytes = Buffer.byteLength(JSON.stringify(application));
  if (bytes > WHOLE_BYTES) {
    const remedy = 'shorten its texts, or send fewer requirements, policies or metadata';
    place.refuse('TOO_LONG', `must take at most ${WHOLE_BYTES} bytes as JSON, and takes ${bytes}: ${remedy}.`);
  }
  parts(application, place);
};
