import type { MoneyText, Option } from '../domain/quote.ts';

type Plot = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

export type Placed = { readonly option: Option; readonly x: number; readonly y: number };

/**
 * Where options stand in a picture: down payment rate from left to right, the measure from bottom to top. Doubles are
 * good enough to place a dot, and no amount that is read comes from them.
 */
export function place({
  options,
  measure,
  plot,
}: {
  options: readonly Option[];
  measure: 'monthlyPayment' | 'totalCost';
  plot: Plot;
}): { readonly placed: readonly Placed[]; readonly least: MoneyText; readonly most: MoneyText } {
  const ordered = options.map((option) => option[measure]).sort((one, other) => Number(one) - Number(other));
  const [least = '0.00', most = '0.00'] = [ordered[0], ordered.at(-1)];
  const rates = options.map(({ downPaymentRate }) => Number(downPaymentRate));
  const across = spread([Math.min(...rates), Math.max(...rates)], [plot.left, plot.right]);
  const up = spread([Number(least), Number(most)], [plot.bottom, plot.top]);
  const placed = options.map((option) => ({
    option,
    x: across(Number(option.downPaymentRate)),
    y: up(Number(option[measure])),
  }));
  return { placed, least, most };
}

type Span = readonly [from: number, to: number];

/** Maps one span onto another, to tenths; a span of no length onto the middle. */
function spread([least, most]: Span, [from, to]: Span): (value: number) => number {
  return (value) => {
    const share = least === most ? 0.5 : (value - least) / (most - least);
    return Math.round((from + share * (to - from)) * 10) / 10;
  };
}
