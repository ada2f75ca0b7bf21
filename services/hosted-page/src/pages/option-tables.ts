import { h, type JSX } from 'preact';
import type { Option } from '../domain/quote.ts';
import type { Words } from '../words/en.ts';
import { formatMoney, formatRate, formatShare } from './format.ts';

/** The radio of an option, for links that lead to it. */
export function anchorOf({ id }: Option): string {
  return id.replaceAll('_', '-');
}

type Group = {
  readonly anchor: string;
  readonly share: string;
  readonly amount: string;
  readonly options: readonly Option[];
};

type TablesProps = {
  readonly words: Words;
  readonly options: readonly Option[];
  readonly recommended: Option | null;
};

/** Every option once, in a table for each down payment. On narrow pages the rows become cards that name their amounts. */
export function OptionTables({ words, options, recommended }: TablesProps): JSX.Element {
  const groups = groupByDownPayment(options);
  return h(
    'div',
    { class: 'groups' },
    groups.length > 1 && h(Jumps, { words, groups }),
    groups.map((group) =>
      h(
        'fieldset',
        { id: group.anchor },
        h('legend', null, h('h3', null, words.quote.group(group))),
        h(OptionTable, { words, options: group.options, recommended }),
      ),
    ),
  );
}

function Jumps({ words, groups }: { words: Words; groups: readonly Group[] }): JSX.Element {
  return h(
    'nav',
    { class: 'jumps', 'aria-labelledby': 'jumps' },
    h('p', { id: 'jumps' }, words.quote.jump),
    h(
      'ul',
      null,
      groups.map(({ anchor, share }) => h('li', null, h('a', { href: `#${anchor}` }, share))),
    ),
  );
}

function OptionTable({ words, options, recommended }: TablesProps): JSX.Element {
  const { terms, quote } = words;
  const columns = [
    { name: terms.apr.short, valueOf: (option: Option) => formatRate(option.apr) },
    { name: terms.financeCharge.name, valueOf: (option: Option) => formatMoney(option.financeCharge) },
    { name: terms.amountFinanced.name, valueOf: (option: Option) => formatMoney(option.amountFinanced) },
    { name: terms.totalOfPayments.name, valueOf: (option: Option) => formatMoney(option.totalOfPayments) },
    { name: terms.downPayment.name, valueOf: (option: Option) => formatMoney(option.downPayment) },
    { name: terms.totalCost.name, valueOf: (option: Option) => formatMoney(option.totalCost) },
  ];
  const names = [quote.monthly, ...columns.map(({ name }) => name)];
  return h(
    'table',
    null,
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        names.map((name) => h('th', { scope: 'col' }, name)),
      ),
    ),
    h(
      'tbody',
      null,
      options.map((option) =>
        h(
          'tr',
          null,
          h('th', { scope: 'row' }, h(Choice, { words, option, isShownFirst: option.id === recommended?.id })),
          columns.map(({ name, valueOf }) => h('td', null, h('span', null, name, ' '), valueOf(option))),
        ),
      ),
    ),
  );
}

function Choice({ words, option, isShownFirst }: { words: Words; option: Option; isShownFirst: boolean }): JSX.Element {
  const id = anchorOf(option);
  return h(
    'label',
    { for: id },
    h('input', { type: 'radio', name: 'option', value: option.id, id }),
    h('span', null, words.payments(option.termMonths), ' ', h('b', null, formatMoney(option.monthlyPayment))),
    isShownFirst && [' ', h('em', null, words.quote.recommended)],
  );
}

/** In the order of the options. */
function groupByDownPayment(options: readonly Option[]): readonly Group[] {
  const groups = Map.groupBy(options, ({ downPaymentRate }) => downPaymentRate);
  return [...groups].map(([rate, members]) => ({
    anchor: `down-${formatShare(rate).replace('%', '').replace('.', '-')}`,
    share: formatShare(rate),
    amount: formatMoney(members[0]?.downPayment ?? '0.00'),
    options: members,
  }));
}
