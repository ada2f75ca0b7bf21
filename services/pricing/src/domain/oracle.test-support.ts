import {
  below,
  ceiling,
  decimal,
  divide,
  floor,
  larger,
  minus,
  plus,
  power,
  ratio,
  reduce,
  same,
  smaller,
  times,
  whole,
  type Rational,
} from './rational.test-support.ts';

/**
 * The pricing model once more, as plainly as it can be said: rational numbers throughout, no doubles, no short cuts and
 * nothing taken from the engine, which the tests hold against it figure by figure. Slow, and for tests only.
 */
export type OracleCase = {
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly policies: readonly OraclePolicy[];
  /** Settings and rate sheet as the operator would write them: numbers as decimal texts. */
  readonly settings: OracleSettings;
  readonly rates: readonly { readonly months: number; readonly rate: string }[];
};

export type OraclePolicy = {
  readonly premiumCents: bigint;
  readonly fees: readonly { readonly cents: bigint; readonly earned: boolean }[];
  readonly minimumEarned: { readonly rate: string } | { readonly cents: bigint };
  /** Null where none is on file. */
  readonly rating: 'A++' | 'A+' | 'A' | 'A-' | null;
  readonly auditable: boolean;
};

export type OracleSettings = {
  /** Only for the engine: the oracle prices whatever it is given. */
  readonly premiumMinCents: bigint;
  readonly steps: readonly number[];
  readonly centerMinPercent: number;
  readonly centerMaxPercent: number;
  readonly longestTerm: number;
  readonly monthsKeptClear: number;
  readonly termCount: number;
  readonly noticeDays: number;
  readonly refundDays: number;
  readonly balanceRate: string;
  readonly baseMargin: string;
  readonly fixedCostCents: bigint;
  readonly fixedCostMax: string;
  readonly addOns: Readonly<Record<'A++' | 'A+' | 'A' | 'A-', string>>;
  readonly assumedAddOn: string;
  readonly auditableAddOn: string;
  readonly gapWeight: string;
  readonly spreadMin: string;
  readonly spreadMax: string;
  readonly legalCap: string;
  readonly recommendedGapMax: string;
};

type OracleOption = {
  readonly id: string;
  readonly gap: number;
  readonly rate: number;
  readonly clamped: boolean;
  readonly down: bigint;
  readonly financed: bigint;
  readonly payment: bigint;
  readonly apr: number;
};

export type OracleAnswer = {
  readonly weightedMinimumEarned: number;
  readonly options: readonly OracleOption[];
  readonly recommended: string;
  /** Figures whose exact value lay on a rounding boundary, by kind. */
  readonly ties: Readonly<Record<TieKind, number>>;
};

export type TieKind = 'down' | 'gap' | 'rate' | 'payment' | 'apr';

type Counter = Record<TieKind, number>;

const BASIS = 10_000n;

export function priceByOracle(deal: OracleCase): OracleAnswer {
  const { settings } = deal;
  const ties: Counter = { down: 0, gap: 0, rate: 0, payment: 0, apr: 0 };
  const premium = sum(deal.policies.map((policy) => policy.premiumCents));
  const total = premium + sum(deal.policies.flatMap((policy) => policy.fees.map((fee) => fee.cents)));
  const earned = sum(deal.policies.map((policy) => policy.premiumCents * minimumEarned(policy)));
  const weighted = floor(plus(ratio(earned, premium), ratio(1n, 2n)));
  const days = dayOf(deal.expirationDate) - dayOf(deal.effectiveDate);
  const center = findCenter({ weighted, days, settings });
  const months = countMonths(deal.effectiveDate, deal.expirationDate);
  const longest = Math.max(1, Math.min(settings.longestTerm, months - settings.monthsKeptClear));
  const options: OracleOption[] = [];
  for (const step of settings.steps) {
    const percent = center + step;
    const down = roundHalfUp(ratio(total * BigInt(percent), 100n), ties, 'down');
    for (let term = Math.max(1, longest - settings.termCount + 1); term <= longest; term += 1) {
      const financed = total - down;
      const gap = roundHalfUp(times(findGap({ deal, days, financed, term }), whole(BASIS)), ties, 'gap');
      const { rate, clamped } = findRate({ deal, premium, total, term, gap, ties });
      const payment = findPayment({ financed, term, rate, cap: decimal(settings.legalCap), ties });
      const apr = findApr({ financed, payment, term, ties });
      options.push({ id: `opt_${percent}_${term}`, gap: Number(gap), rate, clamped, down, financed, payment, apr });
    }
  }
  return { weightedMinimumEarned: Number(weighted), options, recommended: recommend(options, settings), ties };
}

/** Basis points, rounded up. */
function minimumEarned({ minimumEarned: given, premiumCents }: OraclePolicy): bigint {
  return ceiling(times('rate' in given ? decimal(given.rate) : ratio(given.cents, premiumCents), whole(BASIS)));
}

function findCenter({
  weighted,
  days,
  settings,
}: {
  weighted: bigint;
  days: number;
  settings: OracleSettings;
}): number {
  const exposed = divide(plus(ratio(365n, 12n), whole(settings.noticeDays)), whole(days));
  for (let percent = settings.centerMinPercent; percent < settings.centerMaxPercent; percent += 1) {
    const share = ratio(BigInt(percent), 100n);
    if (!below(share, exposed) && !below(share, ratio(weighted, BASIS))) return percent;
  }
  return settings.centerMaxPercent;
}

/** The largest shortfall over the payments after which the borrower may stop, as a share of the amount financed. */
function findGap(loan: { deal: OracleCase; days: number; financed: bigint; term: number }): Rational {
  const { deal, days, financed, term } = loan;
  const { noticeDays, refundDays } = deal.settings;
  const yearly = decimal(deal.settings.balanceRate);
  const monthly = divide(yearly, whole(12));
  const wait = divide(plus(ratio(365n, 12n), whole(noticeDays + refundDays)), whole(365));
  const payment = exactPayment(whole(financed), { monthly, term });
  let balance = whole(financed);
  let worst = whole(0);
  for (let paid = 0; paid < term; paid += 1) {
    const elapsed = plus(times(whole(paid + 1), ratio(365n, 12n)), whole(noticeDays));
    const used = smaller(whole(1), divide(elapsed, whole(days)));
    const collateral = deal.policies.map((policy) => {
      const refundable = policy.premiumCents + sum(policy.fees.map((fee) => (fee.earned ? 0n : fee.cents)));
      return times(minus(whole(1), larger(ratio(minimumEarned(policy), BASIS), used)), whole(refundable));
    });
    const payoff = times(balance, plus(whole(1), times(yearly, wait)));
    const shortfall = collateral.reduce(minus, payoff);
    worst = larger(worst, divide(shortfall, whole(financed)));
    balance = reduce(minus(times(balance, plus(whole(1), monthly)), payment));
  }
  return worst;
}

type RateParts = { deal: OracleCase; premium: bigint; total: bigint; term: number; gap: bigint; ties: Counter };

function findRate({ deal, premium, total, term, gap, ties }: RateParts): { rate: number; clamped: boolean } {
  const { settings } = deal;
  let spread = plus(
    decimal(settings.baseMargin),
    smaller(decimal(settings.fixedCostMax), ratio(settings.fixedCostCents, total)),
  );
  for (const policy of deal.policies) {
    const weight = ratio(policy.premiumCents, premium);
    spread = plus(spread, times(weight, decimal(settings.addOns[policy.rating ?? 'A-'])));
    if (policy.rating === null) spread = plus(spread, times(weight, decimal(settings.assumedAddOn)));
    if (policy.auditable) spread = plus(spread, times(weight, decimal(settings.auditableAddOn)));
    spread = reduce(spread);
  }
  spread = plus(spread, times(decimal(settings.gapWeight), ratio(gap, BASIS)));
  const held = smaller(larger(spread, decimal(settings.spreadMin)), decimal(settings.spreadMax));
  const rounded = roundHalfUp(times(plus(findBase(deal, term), held), whole(BASIS)), ties, 'rate');
  const cap = floor(times(decimal(settings.legalCap), whole(BASIS)));
  return { rate: Number(rounded > cap ? cap : rounded), clamped: !same(held, spread) || rounded > cap };
}

function findBase({ rates }: OracleCase, term: number): Rational {
  const life = ratio(BigInt(term + 1), 2n);
  const sorted = [...rates].sort((left, right) => left.months - right.months);
  const before = sorted.findLast(({ months }) => !below(life, whole(months)));
  const after = sorted.find(({ months }) => !below(whole(months), life));
  if (before === undefined || after === undefined) return decimal((before ?? after)?.rate ?? '');
  if (before.months === after.months) return decimal(before.rate);
  const way = divide(minus(life, whole(before.months)), whole(after.months - before.months));
  return plus(decimal(before.rate), times(way, minus(decimal(after.rate), decimal(before.rate))));
}

type PaymentParts = { financed: bigint; term: number; rate: number; cap: Rational; ties: Counter };

function findPayment({ financed, term, rate, cap, ties }: PaymentParts): bigint {
  const monthly = ratio(BigInt(rate), BASIS * 12n);
  const rounded = roundHalfUp(exactPayment(whole(financed), { monthly, term }), ties, 'payment');
  const atCap = presentValue({ payment: rounded, term, yearly: cap });
  return below(whole(financed), atCap) ? rounded - 1n : rounded;
}

function findApr({
  financed,
  payment,
  term,
  ties,
}: {
  financed: bigint;
  payment: bigint;
  term: number;
  ties: Counter;
}) {
  let [low, high] = [0, 20_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const value = presentValue({ payment, term, yearly: ratio(BigInt(2 * middle - 1), 2n * BASIS) });
    if (same(value, whole(financed))) ties.apr += 1;
    if (below(value, whole(financed))) high = middle;
    else low = middle;
  }
  return low;
}

function recommend(options: readonly OracleOption[], settings: OracleSettings): string {
  const most = floor(times(decimal(settings.recommendedGapMax), whole(BASIS)));
  const order = (id: string) => id.split('_').slice(1).map(Number);
  const ranked = options.map((option) => {
    const [percent = 0, term = 0] = order(option.id);
    return { option, percent, term };
  });
  const safe = ranked.filter(({ option }) => BigInt(option.gap) <= most);
  const first =
    safe.length > 0
      ? safe.sort((left, right) => left.percent - right.percent || right.term - left.term)[0]
      : ranked.sort((left, right) => right.percent - left.percent || left.term - right.term)[0];
  return first?.option.id ?? '';
}

/** A·i / (1 − (1 + i)^−n), or A / n without interest. */
function exactPayment(amount: Rational, { monthly, term }: { monthly: Rational; term: number }): Rational {
  if (monthly.top === 0n) return divide(amount, whole(term));
  const discounted = power(divide(whole(1), plus(whole(1), monthly)), term);
  return divide(times(amount, monthly), minus(whole(1), discounted));
}

function presentValue({ payment, term, yearly }: { payment: bigint; term: number; yearly: Rational }): Rational {
  const growth = plus(whole(1), divide(yearly, whole(12)));
  let value = whole(0);
  for (let month = 0; month < term; month += 1) value = divide(plus(value, whole(payment)), growth);
  return value;
}

function roundHalfUp(value: Rational, ties: Counter, kind: TieKind): bigint {
  const doubled = times(value, whole(2));
  if (doubled.top % doubled.bottom === 0n && (doubled.top / doubled.bottom) % 2n !== 0n) ties[kind] += 1;
  return floor(plus(value, ratio(1n, 2n)));
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

/** Counts months one by one, each time from the beginning. */
function countMonths(from: string, to: string): number {
  const [year = 0, month = 0, day = 0] = from.split('-').map(Number);
  for (let count = 1; ; count += 1) {
    const lastDay = new Date(Date.UTC(year, month - 1 + count + 1, 0)).getUTCDate();
    const reached = Date.UTC(year, month - 1 + count, Math.min(day, lastDay)) / 86_400_000;
    if (reached > dayOf(to)) return count - 1;
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
