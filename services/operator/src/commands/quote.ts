import type { Difference } from '@pfq/proto/gateway/v1/admin_pb';
import type { Command } from 'commander';
import { flatten, isRecord } from '../json.ts';
import { formatFields, formatRows, toJson, type Answer, type Row } from '../output.ts';
import { addNoun, addVerb, answering, type Context } from '../verb.ts';

const SUMMARY = [
  'id',
  'livemode',
  'status',
  'agency_id',
  'broker.email',
  'client_reference_id',
  'created_at',
  'expires_at',
  'totals.premium',
  'totals.taxes_and_fees',
  'totals.total',
  'eligibility.status',
  'recommended_option_id',
];
const OPTION_COLUMNS = [
  'id',
  'apr',
  'down_payment',
  'amount_financed',
  'monthly_payment',
  'finance_charge',
  'total_of_payments',
  'total_cost',
  'spread_clamped',
];

export function addQuoteCommands(program: Command, context: Context): void {
  const quote = addNoun(program, 'quote', 'stored quotes of every agency');

  addVerb(quote, {
    usage: 'show <id>',
    summary: 'show a quote, whose it is and the versions it was priced under',
    example: 'show qte_0UzKdPq3aXb81Lm2RtWc9Z',
  }).action(
    answering(context, async (id: string) => {
      const { quotes } = await context.clients();
      const { json } = await quotes.showQuote({ quoteId: id });
      // As it came: parsing and writing it again would put metadata into another order.
      return { json: `${json.trimEnd()}\n`, text: formatQuote(json) };
    }),
  );

  addVerb(quote, {
    usage: 'verify <id>',
    summary: 'price a quote again under its recorded versions; exits 1 where anything differs',
    example: 'verify qte_0UzKdPq3aXb81Lm2RtWc9Z',
  }).action(
    answering(context, async (id: string) => {
      const { quotes } = await context.clients();
      const { match, differences } = await quotes.verifyQuote({ quoteId: id });
      return {
        json: toJson({ id, match, differences: differences.map(toPublic) }),
        text: formatVerdict({ id, match, differences }),
        exitCode: match ? 0 : 1,
      } satisfies Answer;
    }),
  );
}

function formatQuote(json: string): string {
  const quote: unknown = JSON.parse(json);
  const { options, priced_under: pricedUnder, eligibility } = isRecord(quote) ? quote : {};
  const all = flatten(quote);
  const summary = Object.fromEntries(SUMMARY.map((field) => [field, all[field] ?? null]));
  const reasons = isRecord(eligibility) ? toRows(eligibility['reasons']) : [];
  const sections = [
    formatFields(summary),
    reasons.length > 0 && formatRows(reasons, ['code', 'param', 'message']),
    toRows(options).length > 0 && formatRows(toRows(options), OPTION_COLUMNS),
    formatFields(flatten({ priced_under: pricedUnder })),
  ];
  return sections.filter((section) => section !== false).join('\n');
}

function toRows(list: unknown): Row[] {
  return Array.isArray(list) ? list.map((entry) => flatten(entry)) : [];
}

/** A value that only one side has is left out of the other, because null is a value. */
function toPublic({ param, stored, repriced }: Difference) {
  return {
    param,
    ...(stored !== '' && { stored: JSON.parse(stored) }),
    ...(repriced !== '' && { repriced: JSON.parse(repriced) }),
  };
}

function formatVerdict({ id, match, differences }: { id: string; match: boolean; differences: Difference[] }): string {
  if (match) return `${id} comes out the same under its recorded versions.\n`;
  const rows = differences.map(({ param, stored, repriced }) => ({ param, stored, repriced }));
  return `${id} comes out differently under its recorded versions.\n\n${formatRows(rows, ['param', 'stored', 'repriced'])}`;
}
