import axe from 'axe-core';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 AA, and what axe-core advises beyond it. */
const EVERYTHING = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What can be another way in other colors. */
const ABOUT_COLORS = ['color-contrast', 'link-in-text-block'];

/** Where a page is against WCAG, in light. Needs a visit with injected scripts. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'light' });
  return runAxe(page, { type: 'tag', values: EVERYTHING });
}

/** The same for what colors alone can do, whatever the language. */
export async function findViolationsInDark(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: 'dark' });
  return runAxe(page, { type: 'rule', values: ABOUT_COLORS });
}

async function runAxe(page: Page, runOnly: RunOptions['runOnly']): Promise<readonly string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}
