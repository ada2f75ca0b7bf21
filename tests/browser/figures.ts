import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Quote } from '@pfq/hosted-page/domain/quote';
import type { Page as Shown } from '@pfq/hosted-page/pages/page';
import { renderPage } from '@pfq/hosted-page/pages/render';
import { INTERESTED, QUOTE, quotePage, reviewPage } from '@pfq/hosted-page/pages/sample-pages.test-support';
import type { Language } from '@pfq/hosted-page/words/words';
import type { Page } from 'playwright-core';
import { findUnreadable, setTextSize } from './layout.ts';
import type { Scene } from './scene.ts';

/** Three phones, and the narrowest window that has its options in tables. */
const WIDTHS = [320, 360, 390, 1024];
const TEXT_SIZES = [1, 1.5, 2];

/** Amounts as they usually are, and as long as they get; in Spanish the words beside them are longer too. */
const CASES: readonly (readonly [what: string, language: Language, changes: Partial<Quote>])[] = [
  ['usual amounts in English', 'en', {}],
  [
    'amounts in the millions in Spanish',
    'es',
    {
      ...inMillions(QUOTE),
      policies: QUOTE.policies.map((policy) => ({ ...policy, total: '23456789.01' })),
    },
  ],
];

/** The pages themselves, in the sizes of windows and of their text. */
export function figures(scene: Scene): void {
  for (const [what, language, changes] of CASES) {
    it(`keeps every figure in one piece on every screen at every size of text: ${what}`, async () => {
      const { page } = await scene.open({ width: 320, language });
      const problems: string[] = [];
      for (const shown of pagesWith(changes)) {
        await page.setContent(renderPage(shown, { language, switchTo: '/q/token?lang=xx' }));
        for (const share of TEXT_SIZES) {
          await setTextSize(page, share);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 900 });
            const found = [...(await findBrokenFigures(page)), ...(await findUnreadable(page))];
            problems.push(...found.map((problem) => `${shown.kind} at ${width} px and ${share * 100} %: ${problem}`));
          }
        }
      }
      assert.deepEqual(problems, []);
    });
  }
}

function pagesWith(changes: Partial<Quote>): readonly Shown[] {
  const { interest } = INTERESTED;
  const option = changes.options?.[0] ?? reviewPage(null).option;
  return [
    quotePage(changes),
    { ...reviewPage(null, changes), option },
    {
      kind: 'interested',
      quote: { ...INTERESTED, ...changes, interest: interest && { ...interest, option } },
      after: 'sent',
    },
    { kind: 'ineligible', quote: { ...QUOTE, ...changes, options: [], recommended: null } },
  ];
}

function inMillions(quote: Quote): Partial<Quote> {
  const money = '1234567.89';
  const amounts = {
    downPayment: money,
    amountFinanced: money,
    monthlyPayment: money,
    financeCharge: '123456.78',
    totalOfPayments: money,
    totalCost: money,
  };
  const options = quote.options.map((option) => ({ ...option, ...amounts }));
  return { options, recommended: options[0] ?? null, premium: money, taxesAndFees: money, total: '46913578.02' };
}

/** Every run of digits, with its signs, that is laid out in more than one piece. */
function findBrokenFigures(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const broken: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { 0: figure, index } of (node.textContent ?? '').matchAll(/\$?\d[\d,.:]*%?/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + figure.length);
        if (range.getClientRects().length > 1) broken.push(`${figure} is broken`);
      }
    }
    return broken;
  });
}
