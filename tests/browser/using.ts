import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Page } from 'playwright-core';
import { AMOUNTS, inDollars } from '../support/amounts.ts';
import { sql } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { andLoad, choose, pick, press, respond } from './insured.ts';
import { findUnreadable } from './layout.ts';
import type { Scene, Visit } from './scene.ts';
import { AWAY, during } from './accidents.ts';
import { ESTIMATE } from './walks.ts';

const MOST_STOPS = 40;
const SECONDS = 10_000;
/** Letter with half an inch of margin, at 96 to the inch. */
const PRINTED_WIDTH = 720;

/** What the insured, and the insured's browser, do with the pages. */
export function using(scene: Scene): void {
  it('is walked by keyboard alone, with the focus to be seen at every stop', async () => {
    const { url } = await scene.offer('test');
    const visit = await scene.open({ width: 1280 });
    const { page, words } = visit;
    await page.goto(url);
    await tabTo(page, '[type=radio]');
    assert.equal(await page.locator(':checked').count(), 0, 'to come by is not to choose');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await assertFocusSeen(page);
    const optionId = await page.locator(':checked').getAttribute('value');
    await tabTo(page, 'button');
    await andLoad(page, () => page.keyboard.press('Enter'));
    assert.equal(new URL(page.url()).searchParams.get('option'), optionId);

    await tabTo(page, 'textarea');
    await page.keyboard.type('By keyboard');
    await tabTo(page, '[type=checkbox]');
    await page.keyboard.press('Space');
    await tabTo(page, 'button');
    await andLoad(page, () => page.keyboard.press('Enter'));
    assert.equal(await page.locator('h1').innerText(), words.interested.sentHeading);
    assert.ok((await page.locator('main').innerText()).includes('By keyboard'));
  });

  it('takes the reader to what is wrong, and from there to where it is mended', async () => {
    const { url, quote } = await scene.offer('test');
    const visit = await scene.open();
    const { page, words } = visit;
    await page.goto(url);
    await choose(visit, quote.options[0]?.id ?? '');
    await press(visit, words.review.send);
    assert.match(await page.title(), new RegExp(`^${words.problemTitle('')}`));
    assert.ok(await page.locator('[role=alert]').evaluate((alert) => alert.contains(document.activeElement)));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await tabTo(page, 'button');
    await andLoad(page, () => page.keyboard.press('Enter'));
    assert.equal(await page.locator('h1').innerText(), words.interested.sentHeading);
  });

  it('the back button leads back through the pages and sends nothing again', async () => {
    const { url, quote } = await scene.offer('test');
    const visit = await scene.open();
    const { page, words, asked } = visit;
    const [first, second] = quote.options;
    await page.goto(url);
    await choose(visit, first?.id ?? '');
    await page.goBack();
    assert.equal(await page.locator('h1').innerText(), words.quote.heading);
    await choose(visit, second?.id ?? '');
    await respond(visit, { note: '' });
    for (let count = 0; count < 2; count += 1) {
      await page.goBack();
      assert.equal(await page.locator('h1').innerText(), words.interested.heading);
    }
    await page.goForward();
    await page.reload();
    assert.equal(asked.filter((one) => one.startsWith('POST')).length, 1);
    const { interest } = JSON.parse((await scene.api('test').get(quote.id)).text);
    assert.equal(interest.option_id, second?.id);
  });

  it('changes language on the spot, and keeps it to the end', async () => {
    const { url, quote } = await scene.offer('test');
    const visit = await scene.open({ language: 'es' });
    const { page } = visit;
    await page.goto(url);
    await andLoad(page, () => page.getByRole('link', { name: 'English' }).click());
    const lang = () => page.locator('html').getAttribute('lang');
    assert.equal(await lang(), 'en');
    await pick(visit, quote.options[0]?.id ?? '');
    await press(visit, 'Review the chosen option');
    assert.equal(await lang(), 'en');
    await andLoad(page, () => page.getByRole('link', { name: 'Español' }).click());
    assert.equal(await page.locator('h1').innerText(), visit.words.review.heading);
    await respond(visit, { note: '' });
    assert.equal(await page.locator('h1').innerText(), visit.words.interested.sentHeading);
  });

  it('prints every amount and the estimate sentence on Letter, and no control', async () => {
    const { url, quote } = await scene.offer('live');
    const visit = await scene.open({ width: 1280 });
    const { page, words } = visit;
    await page.goto(url);
    await assertPrints(visit);
    const printed = await page.locator('.groups').innerText();
    for (const option of quote.options) {
      for (const name of AMOUNTS) assert.ok(printed.includes(inDollars(option[name])), `${option.id} ${name}`);
    }
    const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
    assert.match(pdf, /\/MediaBox ?\[0 0 612 792\]/);
    await page.emulateMedia({ media: 'screen' });
    await choose(visit, quote.recommended_option_id ?? '');
    await assertPrints(visit);
    await page.emulateMedia({ media: 'screen' });
    await respond(visit, { note: 'On paper' });
    await assertPrints(visit);
    assert.ok(await page.getByText(words.interested.sentHeading).isVisible());
    assert.ok(await page.getByText('On paper').isVisible());
  });

  it('counts the note where scripts run, under the policy of the page', async () => {
    const { url, quote } = await scene.offer('test');
    for (const language of ['en', 'es'] as const) {
      const visit = await scene.open({ language, scripts: 'ours' });
      const { page, words, complaints } = visit;
      await page.goto(url);
      await choose(visit, quote.options[0]?.id ?? '');
      const count = page.locator('#count');
      const counted = (length: number) => words.review.counted(500).replace('#', String(length));
      assert.equal(await count.innerText(), counted(0));
      await page.locator('textarea').fill('One\nor 🙂 ');
      assert.equal(await count.innerText(), counted(8));
      await page.locator('textarea').fill('n'.repeat(512));
      assert.equal(await count.innerText(), words.review.overlong(500).replace('#', '512').replace('~', '12'));
      assert.deepEqual(complaints, []);
    }
  });

  it('a scanner that runs scripts and submits every form as it stands, by its buttons too, creates no response', async () => {
    const { url, quote } = await scene.offer('live');
    const visit = await scene.open({ scripts: 'ours' });
    const { page, asked } = visit;
    for (const start of [url, `${url}/review?option=${quote.recommended_option_id}`]) {
      for (const how of ['submit', 'requestSubmit', 'press'] as const) {
        await page.goto(start);
        const forms = await page.locator('form').count();
        assert.equal(forms, 1);
        await andLoad(page, () => submitBlindly(page, how));
      }
    }
    assert.equal(asked.filter((one) => one.startsWith('POST')).length, 3);
    const stored = await sql(scene.stack(), 'quote_store', `SELECT 1 FROM interests WHERE quote_id = '${quote.id}'`);
    assert.deepEqual(stored, []);
  });

  it('is there again once the quote store is, by the link that the page offers', async () => {
    const { url } = await scene.offer('live');
    const visit = await scene.open();
    const { page, words } = visit;
    await during(scene, AWAY, () => page.goto(url));
    assert.equal(visit.status(), 503);
    const retry = page.getByRole('link', { name: words.notices.tryAgain });
    await until(async () => {
      if (visit.status() === 503) await andLoad(page, () => retry.click());
      return visit.status() === 200;
    }, SECONDS);
    assert.equal(await page.locator('h1').innerText(), words.quote.heading);
  });
}

/** Goes on by Tab until the focus is on what is looked for; it is to be seen all the way. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    await assertFocusSeen(page);
    if (await page.locator(selector).and(page.locator(':focus')).count()) return;
  }
  assert.fail(`${selector} is not reached by Tab`);
}

async function assertFocusSeen(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return 'nothing has the focus';
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isOnTop = hit !== null && (element.contains(hit) || hit.contains(element));
    if (outlineStyle !== 'none' && outlineWidth !== '0px' && isInside && isOnTop) return 'yes';
    return `${element.outerHTML} at ${left} ${top} ${right} ${bottom}, outline ${outlineStyle} ${outlineWidth}`;
  });
  assert.equal(seen, 'yes');
}

function submitBlindly(page: Page, how: 'submit' | 'requestSubmit' | 'press'): Promise<void> {
  return page.evaluate((way) => {
    for (const form of document.forms) {
      if (way === 'submit') HTMLFormElement.prototype.submit.call(form);
      else if (way === 'requestSubmit') form.requestSubmit();
      else form.querySelector('button')?.click();
    }
  }, how);
}

async function assertPrints({ page }: Visit): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  const { width, height } = page.viewportSize() ?? { width: PRINTED_WIDTH, height: 900 };
  await page.setViewportSize({ width: PRINTED_WIDTH, height });
  assert.ok(await page.getByText(ESTIMATE).isVisible());
  const controls = page.locator('button:visible, input:visible, textarea:visible, .button:visible');
  assert.equal(await controls.count(), 0);
  assert.deepEqual(await findUnreadable(page), []);
  await page.setViewportSize({ width, height });
}
