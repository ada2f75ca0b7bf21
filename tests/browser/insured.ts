import type { Page } from 'playwright-core';
import type { Mode, Offer, Scene, Visit } from './scene.ts';

const UNKNOWN_TOKEN = 'A'.repeat(43);
const GUESSES = 20;

/** Does what leads to another page, and waits for that. */
export async function andLoad(page: Page, action: () => Promise<unknown>): Promise<void> {
  const loaded = page.waitForEvent('load');
  await action();
  await loaded;
}

/** Presses a button as it is named. */
export function press({ page }: Visit, name: string): Promise<void> {
  return andLoad(page, () => page.getByRole('button', { name, exact: true }).click());
}

/** Touches an option anywhere on the quote's page. */
export function pick({ page }: Visit, optionId: string): Promise<void> {
  return page.locator('label', { has: page.locator(`[value="${optionId}"]`) }).click();
}

/** From the quote's page to the review of an option, by the button beside it. */
export async function choose(visit: Visit, optionId: string): Promise<void> {
  await visit.page.locator(`[value="${optionId}"]`).check();
  await press(visit, visit.words.quote.review);
}

/** Fills in and sends the form of the review page. */
export async function respond(visit: Visit, { note }: { readonly note: string }): Promise<void> {
  const { page, words } = visit;
  await page.locator('textarea').fill(note);
  await page.locator('label', { has: page.locator('[type=checkbox]') }).click();
  await press(visit, words.review.send);
}

/** To the review of the last option of a new quote. */
export async function review(visit: Visit, scene: Scene, mode: Mode): Promise<Offer> {
  const offer = await scene.offer(mode);
  await visit.page.goto(offer.url);
  await choose(visit, offer.quote.options.at(-1)?.id ?? '');
  return offer;
}

/** As often as an address may. */
export async function guess({ page }: Pick<Visit, 'page'>, scene: Scene): Promise<void> {
  await Promise.all(Array.from({ length: GUESSES }, () => page.context().request.get(unknownLink(scene))));
}

export function unknownLink(scene: Scene): string {
  return `${scene.stack().file.hosted_url}/q/${UNKNOWN_TOKEN}`;
}
