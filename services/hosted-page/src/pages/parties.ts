import { h, type ComponentChildren, type JSX } from 'preact';
import type { Quote } from '../domain/quote.ts';
import { en, type Words } from '../words/en.ts';
import { formatMoney } from './format.ts';
import { Name } from './name.ts';

type Broker = Quote['broker'];

/** The broker's name with the address to write to, or the address alone. */
export function MailLink({ broker: { name, email } }: { broker: Broker }): JSX.Element {
  const address = `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
  const link = h('a', { href: address }, h(Name, { name: email }));
  return h('span', { class: 'mail' }, name !== null && [h(Name, { name }), ' '], link);
}

/** What to call the broker within a sentence. */
export function callBroker({ name, email }: Broker): string {
  return name ?? email;
}

/** Who takes part, with further facts of the page at hand. */
export function Parties({
  words,
  quote,
  children,
}: {
  words: Words;
  quote: Quote;
  children?: ComponentChildren;
}): JSX.Element {
  return h(
    'dl',
    { class: 'facts' },
    quote.insuredName !== null &&
      h(Fact, { name: words.parties.insured }, h('b', null, h(Name, { name: quote.insuredName }))),
    quote.agencyName !== null && h(Fact, { name: words.parties.agency }, h(Name, { name: quote.agencyName })),
    h(Fact, { name: words.parties.broker }, h(MailLink, { broker: quote.broker })),
    children,
  );
}

export function Fact({ name, children }: { name: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  return h('div', null, h('dt', null, name), h('dd', null, children));
}

export function Moment({ words, at }: { words: Words; at: Date }): JSX.Element {
  return h('time', { datetime: at.toISOString() }, words.dates.moment(at));
}

/** The policies and their sum, as one sheet. */
export function Financed({ words, quote, heading }: { words: Words; quote: Quote; heading: string }): JSX.Element {
  const { premium, taxesAndFees, total } = words.financed;
  return h(
    'section',
    { class: 'sheet', 'aria-labelledby': 'financed' },
    h('h2', { id: 'financed' }, heading),
    h(
      'dl',
      { class: 'sums' },
      quote.policies.map(({ carrierName, total: ofPolicy }) =>
        h(Fact, { name: h(Name, { name: carrierName }) }, formatMoney(ofPolicy)),
      ),
    ),
    h(
      'dl',
      { class: 'sums' },
      h(Fact, { name: premium }, formatMoney(quote.premium)),
      h(Fact, { name: taxesAndFees }, formatMoney(quote.taxesAndFees)),
      h(Fact, { name: total }, h('b', null, formatMoney(quote.total))),
    ),
  );
}

/** The sentence that every amount stands under; other languages show it as it is in English too. */
export function EstimateNotice({ words }: { words: Words }): JSX.Element {
  return h(
    'div',
    { class: 'estimate' },
    h('p', null, words.estimate),
    words.tag !== en.tag && h('p', { lang: en.tag }, en.estimate),
  );
}
