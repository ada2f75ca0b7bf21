import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations, findViolationsInDark } from './accessibility.ts';
import { findUnreadable, readTexts, setTextSize } from './layout.ts';
import type { Scene, Visit } from './scene.ts';
import { STATES } from './states.ts';
import type { State } from './states.ts';

/** What holds for whatever the page has to say. */
export function everyState(scene: Scene): void {
  for (const state of STATES) {
    it(`${state.name}: both languages say what is the matter, fit 320 px, keep every text at 200 %, and axe finds nothing`, async () => {
      const visits: Visit[] = [];
      for (const language of ['en', 'es'] as const) {
        const visit = await scene.open({ width: 320, language, scripts: 'injected' });
        await state.reach(visit, scene);
        visits.push(visit);
      }
      await Promise.all(visits.map((visit) => assertGood(visit, state)));
    });
  }
}

async function assertGood(visit: Visit, state: State): Promise<void> {
  const { page, complaints } = visit;
  await assertSays(visit, state);
  assert.deepEqual(await findUnreadable(page), []);
  await assertReadableInLargeText(page);
  assert.deepEqual(await findViolations(page), []);
  if (visit.language === 'en') assert.deepEqual(await findViolationsInDark(page), []);
  assert.deepEqual(complaints, []);
}

async function assertSays(visit: Visit, { status, heading, says, isTest, note }: State): Promise<void> {
  const { page, words } = visit;
  assert.equal(visit.status(), status);
  assert.equal(await page.locator('html').getAttribute('lang'), words.tag);
  assert.equal(await page.locator('h1').innerText(), heading(words));
  const said = await page.locator('main').innerText();
  for (const text of says(words)) assert.ok(said.includes(text), `${text} is not in: ${said}`);
  assert.equal(await page.getByText(words.testBanner.lead, { exact: true }).isVisible(), isTest);
  assert.equal(await page.locator(':checked').count(), 0);
  if (note !== null) assert.equal(await page.locator('textarea').inputValue(), note);
}

/** On a phone and on a desk. */
async function assertReadableInLargeText(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await setTextSize(page, 1);
    const usual = await readTexts(page);
    await setTextSize(page, 2);
    const large = new Set(await readTexts(page));
    assert.deepEqual(
      usual.filter((text) => !large.has(text)),
      [],
    );
    assert.deepEqual(await findUnreadable(page), []);
  }
}
