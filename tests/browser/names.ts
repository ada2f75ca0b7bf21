import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page as Shown } from '@pfq/hosted-page/pages/page';
import { renderPage } from '@pfq/hosted-page/pages/render';
import { INTERESTED, quotePage, reviewPage } from '@pfq/hosted-page/pages/sample-pages.test-support';
import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

/** Names that turn what stands around them, by each of Unicode's ways to do so. */
const OVERRIDE = 'Evil\u202ELLC';
const EMBEDDING = '\u202BEvil LLC';
const END_OF_ISOLATE = 'Evil\u2069\u202ELLC';
const ENDLESS_ISOLATE = '\u2067Evil LLC';
const RIGHT_TO_LEFT = '\u05D0\u05D1\u05D2 \u05D3\u05D4 123';

const PARTIES: readonly (readonly [insured: string, agency: string, broker: string, carrier: string])[] = [
  [OVERRIDE, RIGHT_TO_LEFT, END_OF_ISOLATE, EMBEDDING],
  [ENDLESS_ISOLATE, OVERRIDE, RIGHT_TO_LEFT, END_OF_ISOLATE],
  [END_OF_ISOLATE, EMBEDDING, OVERRIDE, RIGHT_TO_LEFT],
];
/** Header, insured, agency and broker. */
const FEWEST_NAMES = 4;

/** What names cannot do to the sentences that they stand in. */
export function names(scene: Scene): void {
  it('leaves every word in its place, whichever way the names around it turn', async () => {
    const { page } = await scene.open({ width: 1280 });
    for (const parties of PARTIES) {
      for (const language of ['en', 'es'] as const) {
        for (const shown of pagesNaming(parties)) {
          await page.setContent(renderPage(shown, { language, switchTo: null }));
          assert.deepEqual(await findTurned(page), [], `${shown.kind} in ${language}`);
          assert.ok((await page.locator('bdi').count()) >= FEWEST_NAMES);
        }
      }
    }
  });
}

function pagesNaming([insuredName, agencyName, name, carrierName]: (typeof PARTIES)[number]): readonly Shown[] {
  const changes = {
    insuredName,
    agencyName,
    broker: { name, email: 'rosa@hill-country.example' },
    policies: [{ carrierName, total: '1.00' }],
  };
  return [
    quotePage(changes),
    reviewPage(null, changes),
    { kind: 'interested', quote: { ...INTERESTED, ...changes }, after: 'sent' },
  ];
}

/** Words of ours that are drawn backwards, or to the left of what comes before them on their line; a name counts as one word. */
function findTurned(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const turned: string[] = [];
    const range = document.createRange();
    const boxOf = (node: Node, start: number, end: number) => {
      range.setStart(node, start);
      range.setEnd(node, end);
      return range.getBoundingClientRect();
    };
    for (const block of document.querySelectorAll('p, li, dt, dd, h1, h2, label')) {
      const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
      let last: DOMRect | undefined;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const isName = node.parentElement?.closest('bdi') !== null;
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(isName ? /.+/gs : /\S+/g)) {
          const end = index + word.length;
          const box = boxOf(node, index, end);
          const [first, final] = [boxOf(node, index, index + 1), boxOf(node, end - 1, end)];
          const isBackwards = !isName && first.top === final.top && final.left < first.left;
          const isMoved = last !== undefined && last.top === box.top && box.left < last.right - 1;
          if (isBackwards || isMoved) turned.push(`"${word}" in: ${block.textContent}`);
          last = box;
        }
      }
    }
    return turned;
  });
}
