import { h, type ComponentChildren, type JSX } from 'preact';
import type { Option } from '../domain/quote.ts';
import type { Words } from '../words/en.ts';
import { formatMoney, formatRate } from './format.ts';

/** The amounts of an option as US credit disclosures lay them out: the first two stand out most. */
export function Disclosure({ words, option }: { words: Words; option: Option }): JSX.Element {
  const { terms } = words;
  const payments = [words.payments(option.termMonths), ' ', h('b', null, formatMoney(option.monthlyPayment))];
  return h(
    'dl',
    { class: 'box' },
    h(Term, { term: terms.apr, kind: 'chief' }, formatRate(option.apr)),
    h(Term, { term: terms.financeCharge, kind: 'chief' }, formatMoney(option.financeCharge)),
    h(Term, { term: terms.amountFinanced, kind: 'plain' }, formatMoney(option.amountFinanced)),
    h(Term, { term: terms.totalOfPayments, kind: 'plain' }, formatMoney(option.totalOfPayments)),
    h(Term, { term: terms.downPayment, kind: 'plain' }, formatMoney(option.downPayment)),
    h(Term, { term: terms.totalCost, kind: 'plain' }, formatMoney(option.totalCost)),
    h(Term, { term: terms.monthlyPayment, kind: 'wide' }, payments),
  );
}

type TermProps = {
  readonly term: { readonly name: string; readonly meaning: string };
  readonly kind: 'chief' | 'plain' | 'wide';
  readonly children?: ComponentChildren;
};

function Term({ term: { name, meaning }, kind, children }: TermProps): JSX.Element {
  return h('div', { class: kind }, h('dt', null, name), h('dd', null, children), h('dd', { class: 'why' }, meaning));
}
