import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Option } from '../domain/quote.ts';
import { formatMoney, formatRate } from './format.ts';
import type { Language } from '../words/words.ts';
import { renderPage } from './render.ts';
import { PAGES, QUOTE, quotePage, tagsOf, textOf } from './sample-pages.test-support.ts';

const MOST_BYTES = 10_240;

for (const language of ['en', 'es'] as const) {
  const html = renderPage(quotePage(), { language, switchTo: '/q/token?lang=xx' });

  describe(`the page of a quote (${language})`, () => {
    test('offers every option once, none of them chosen', () => {
      const radios = tagsOf(html).filter((tag) => tag.includes('type="radio"'));
      const values = radios.map((tag) => /value="([^"]*)"/.exec(tag)?.[1]);
      assert.equal(values.length, QUOTE.options.length);
      assert.deepEqual(new Set(values), new Set(QUOTE.options.map(({ id }) => id)));
      assert.ok(radios.every((tag) => tag.includes('name="option"')));
      assert.doesNotMatch(tagsOf(html).join(''), / checked| selected/);
    });

    test('shows all amounts of an option in its row, and no other', () => {
      const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([row]) => row);
      assert.equal(rows.length, QUOTE.options.length);
      for (const row of rows) {
        const option = QUOTE.options.find(({ id }) => row.includes(`"${id}"`)) ?? assert.fail('a row has no option');
        assert.deepEqual(amountsIn(textOf(`<body>${row}`)), amountsOf(option));
        assert.ok(textOf(`<body>${row}`).includes(formatRate(option.apr)));
      }
    });

    test('shows the recommended option first, labelled as no advice, with a way to it that chooses nothing', () => {
      const { recommended } = QUOTE;
      const start = html.indexOf('class="first"');
      const first = html.slice(start, html.indexOf('</section>', start));
      assert.ok(start > 0 && start < html.indexOf('type="radio"'));
      assert.match(textOf(`<body ${first}`), language === 'en' ? /not advice/ : /no es un consejo/);
      assert.deepEqual(
        new Set(amountsIn(textOf(`<body ${first}`))),
        new Set(recommended === null ? [] : amountsOf(recommended)),
      );
      assert.ok(first.includes(`href="/q/token/review?option=opt_25_10&amp;lang=${language}"`));
    });

    test('groups the options by down payment, in the order of the API', () => {
      const legends = [...html.matchAll(/<legend>(.*?)<\/legend>/g)].map(([, legend = '']) => amountsIn(legend)[0]);
      assert.deepEqual(legends, [...new Set(QUOTE.options.map(({ downPayment }) => formatMoney(downPayment)))]);
    });

    test('has one form, which asks for the review', () => {
      const forms = tagsOf(html).filter((tag) => tag.startsWith('<form'));
      assert.equal(forms.length, 1);
      assert.match(forms[0] ?? '', /method="get" action="\/q\/token\/review"/);
      assert.match(html, new RegExp(`<input type="hidden" name="lang" value="${language}"/>`));
    });

    test('says whose it is, what is financed, until when, and that it is an estimate', () => {
      const text = textOf(html);
      const named = ['Bluebonnet Bakery LLC', 'Hill Country Agency', 'Rosa Vega', 'Pecan Mutual', 'Mesquite Casualty'];
      const sums = ['$60,000.06', '$41,234.50', '$100,000.00', '$1,234.56', '$101,234.56'];
      for (const part of [...named, ...sums]) assert.ok(text.includes(part), part);
      assert.ok(html.includes('href="mailto:rosa@hill-country.example"'));
      // 05:30 UTC is the evening before in Texas.
      assert.match(text, language === 'en' ? /December 19, 2026 at 11:30 PM Central Time/ : /19 de diciembre de 2026/);
      assert.ok(
        text.includes('This is an estimate, not a premium finance agreement and not a commitment to lend.'),
        'the sentence stands as it is in English in every language',
      );
    });

    test('shows no amount that the API did not give', () => {
      const given = new Set(
        ['premium', 'taxesAndFees', 'total'].map((name) => formatMoney(String(Reflect.get(QUOTE, name)))),
      );
      for (const { total } of QUOTE.policies) given.add(formatMoney(total));
      for (const option of QUOTE.options) for (const amount of amountsOf(option)) given.add(amount);
      assert.deepEqual(
        amountsIn(textOf(html)).filter((amount) => !given.has(amount)),
        [],
      );
    });

    test(`of 30 options takes ${MOST_BYTES} bytes at most when compressed`, () => {
      const level = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
      assert.ok(brotliCompressSync(html, level).length <= MOST_BYTES);
      assert.ok(gzipSync(html).length <= MOST_BYTES);
    });
  });
}

describe('a choice asked for without one', () => {
  test('is told of at the top, where the reader is taken, with a link to the first option', () => {
    const html = renderSample('quote without a choice', 'en');
    assert.match(html, /<title>Problem: Premium finance estimate<\/title>/);
    assert.match(html, /<main[^>]*><div class="errors" role="alert" tabindex="-1" autofocus>/);
    const [, field = ''] = /class="errors".*?href="#([^"]*)"/.exec(html) ?? [];
    assert.match(html, new RegExp(`<input type="radio"[^>]* id="${field}"`));
  });
});

describe('a quote with little to show', () => {
  test('has no picture and no links to down payments where there is one option', () => {
    const html = renderSample('quote with one option', 'en');
    assert.doesNotMatch(html, /<svg|class="jumps"/);
    assert.match(textOf(html), /The one option/);
  });

  test('leaves out the names that are not known', () => {
    const html = renderSample('quote of a time before names were kept', 'en');
    assert.doesNotMatch(textOf(html), /Insured|Agency|null/);
    assert.match(textOf(html), /rosa@hill-country\.example/);
  });
});

function renderSample(name: string, language: Language): string {
  return renderPage(PAGES.get(name) ?? assert.fail(name), { language, switchTo: null });
}

/** In the order of a row. */
function amountsOf(option: Option): readonly string[] {
  const { monthlyPayment, financeCharge, amountFinanced, totalOfPayments, downPayment, totalCost } = option;
  return [monthlyPayment, financeCharge, amountFinanced, totalOfPayments, downPayment, totalCost].map(formatMoney);
}

function amountsIn(text: string): readonly string[] {
  return text.match(/\$[\d,]+\.\d\d/g) ?? [];
}
