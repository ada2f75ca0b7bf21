import { h, type JSX } from 'preact';
import type { Option } from '../domain/quote.ts';
import type { Words } from '../words/en.ts';
import { place, type Placed } from './chart-scale.ts';
import { formatMoney, formatShare } from './format.ts';

type ChartProps = {
  readonly words: Words;
  readonly options: readonly Option[];
  readonly recommended: Option | null;
};

/** In units of the picture. The margins are for its texts, 13 units high. */
const WIDTH = 320;
const HEIGHT = 186;
const PLOT = { left: 14, right: 218, top: 24, bottom: 140 };
const LINE_HEIGHT = 16;

/** Two pictures side by side; what they show is in the tables too. */
export function Charts(props: ChartProps): JSX.Element {
  const { words, recommended } = props;
  return h(
    'div',
    { class: 'charts' },
    h(Chart, { ...props, measure: 'monthlyPayment' }),
    h(Chart, { ...props, measure: 'totalCost' }),
    h('p', null, words.chart.reading, recommended !== null && ` ${words.chart.ring}`),
  );
}

/** A line for each term over the down payments; the only amounts written are the least and the greatest. */
function Chart({
  words,
  options,
  recommended,
  measure,
}: ChartProps & { measure: 'monthlyPayment' | 'totalCost' }): JSX.Element {
  const { placed, least, most } = place({ options, measure, plot: PLOT });
  const terms = [...new Set(options.map(({ termMonths }) => termMonths))].sort((one, other) => one - other);
  const lines = terms.map((term) => placed.filter(({ option }) => option.termMonths === term));
  const reach = words.chart.reach({ least: formatMoney(least), most: formatMoney(most) });
  const ringed = placed.find(({ option }) => option.id === recommended?.id);
  return h(
    'figure',
    null,
    h('figcaption', null, words.chart[measure]),
    h(
      'svg',
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-labelledby': `${measure}-name ${measure}-reach` },
      h('title', { id: `${measure}-name` }, words.chart[measure]),
      h('desc', { id: `${measure}-reach` }, reach),
      h('path', { class: 'rule', d: `M0 ${PLOT.top}H${PLOT.right}M0 ${PLOT.bottom}H${PLOT.right}` }),
      h('text', { x: 0, y: PLOT.top - 9 }, formatMoney(most)),
      h('text', { x: 0, y: PLOT.bottom + LINE_HEIGHT }, formatMoney(least)),
      lines.map((line) => h('polyline', { points: line.map(({ x, y }) => `${x},${y}`).join(' ') })),
      h('path', { class: 'dots', d: placed.map(({ x, y }) => `M${x} ${y}h0`).join('') }),
      ringed !== undefined && h('circle', { cx: ringed.x, cy: ringed.y, r: 8 }),
      nameLines(words, lines),
      lines[0]?.map(({ x, option }) =>
        h('text', { class: 'middle', x, y: HEIGHT - 6 }, formatShare(option.downPaymentRate)),
      ),
    ),
  );
}

/** The first and the last line are named at their ends, a line of text apart at least. */
function nameLines(words: Words, lines: readonly (readonly Placed[])[]): readonly JSX.Element[] {
  const ends = [...new Set([lines[0]?.at(-1), lines.at(-1)?.at(-1)])].filter((end) => end !== undefined);
  const [upper, lower] = ends.sort((one, other) => one.y - other.y);
  const push = upper === undefined || lower === undefined ? 0 : Math.max(0, LINE_HEIGHT - (lower.y - upper.y)) / 2;
  return ends.map(({ option, x, y }, index) =>
    h('text', { x: x + 11, y: y + 4 + (index === 0 ? -push : push) }, words.chart.line(option.termMonths)),
  );
}
