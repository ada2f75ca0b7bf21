import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Words } from '@pfq/hosted-page/words/en';
import { inDollars } from '../support/amounts.ts';
import { mailsAbout } from '../support/caught-mail.ts';
import { until } from '../support/until.ts';
import { choose, respond } from './insured.ts';
import { findUnreadable } from './layout.ts';
import type { Offer, Option, Scene, Visit } from './scene.ts';

const WIDTHS = [320, 390, 1280];
const LANGUAGES = ['en', 'es'] as const;
/** Whatever the language. */
export const ESTIMATE = 'This is an estimate, not a premium finance agreement and not a commitment to lend.';
const NOTE = 'Llámeme después de las 3.\nAsk for <b>Zoë</b> & "Max" 🙂';
const MAIL_MS = 10_000;

/** The insured's way from the link to the broker's mail, without scripts. */
export function walks(scene: Scene): void {
  for (const width of WIDTHS) {
    for (const language of LANGUAGES) {
      const mode = width === 390 ? 'live' : 'test';
      it(`is walked from choice to confirmation at ${width} px in ${language}, for a ${mode} quote`, async () => {
        const offer = await scene.offer(mode);
        const visit = await scene.open({ width, language });
        await walk(visit, offer);
        await assertStored(scene, offer);
      });
    }
  }
}

async function walk(visit: Visit, offer: Offer): Promise<void> {
  const { page, words, asked } = visit;
  const option = chosenFrom(offer);
  await page.goto(offer.url);
  await assertShown(visit, offer, words.quote.heading);
  assert.equal(await page.locator(':checked').count(), 0, 'nothing is chosen for the insured');

  await choose(visit, option.id);
  await assertShown(visit, offer, words.review.heading);
  assert.deepEqual(await readBox(visit), boxOf(option, words));
  assert.equal(await page.locator(':checked').count(), 0, 'nothing is confirmed for the insured');

  await respond(visit, { note: NOTE });
  await assertShown(visit, offer, words.interested.sentHeading);
  assert.deepEqual(await readBox(visit), boxOf(option, words));
  assert.ok((await page.locator('main').innerText()).includes(NOTE));
  const { pathname } = new URL(offer.url);
  assert.deepEqual(
    asked.map((one) => one.replace(new URL(offer.url).origin, '').replace(/\?.*/, '')),
    [`GET ${pathname}`, `GET ${pathname}/review`, `POST ${pathname}/interest`, `GET ${pathname}`],
    'one request for each page, and none elsewhere',
  );
  assert.deepEqual(visit.complaints, []);
}

/** The third of the down payments, by its longest term. */
function chosenFrom({ quote }: Pick<Offer, 'quote'>): Option {
  const option = quote.options.at(17);
  assert.ok(option);
  return option;
}

async function assertShown(visit: Visit, { mode, quote }: Offer, heading: string): Promise<void> {
  const { page, words } = visit;
  assert.equal(visit.status(), 200);
  assert.equal(await page.locator('html').getAttribute('lang'), words.tag);
  assert.equal(await page.locator('h1').innerText(), heading);
  assert.ok(await page.getByText(ESTIMATE).isVisible());
  assert.equal(await page.getByText(words.testBanner.lead, { exact: true }).isVisible(), mode === 'test');
  assert.ok(await page.getByRole('link', { name: quote.broker.email }).first().isVisible());
  assert.deepEqual(await findUnreadable(page), []);
}

async function assertStored({ stack, api }: Scene, { mode, quote }: Offer): Promise<void> {
  const read = async () => JSON.parse((await api(mode).get(quote.id)).text);
  const option = chosenFrom({ quote });
  assert.partialDeepStrictEqual(await read(), {
    status: 'interested',
    selected_option_id: option.id,
    interest: { option_id: option.id, note: NOTE },
  });
  if (mode === 'test') return;
  await until(async () => (await read()).interest.broker_notification.status === 'sent', MAIL_MS);
  const [mail, ...others] = await mailsAbout(stack(), quote.id);
  assert.ok(mail && others.length === 0);
  assert.ok(mail.text.includes('Ask for <b>Zoë</b> & "Max" 🙂'), mail.text);
}

/** The amounts under their names, as the page has them. */
export async function readBox({ page }: Visit): Promise<Readonly<Record<string, string>>> {
  const entries = await page
    .locator('.box > div')
    .evaluateAll((parts) =>
      parts.map((part) => [part.querySelector('dt')?.textContent, part.querySelector('dd')?.textContent] as const),
    );
  return Object.fromEntries(entries);
}

export function boxOf(option: Option, { terms, payments }: Words): Readonly<Record<string, string>> {
  return {
    [terms.apr.name]: inPercent(option.apr),
    [terms.financeCharge.name]: inDollars(option.finance_charge),
    [terms.amountFinanced.name]: inDollars(option.amount_financed),
    [terms.totalOfPayments.name]: inDollars(option.total_of_payments),
    [terms.downPayment.name]: inDollars(option.down_payment),
    [terms.totalCost.name]: inDollars(option.total_cost),
    [terms.monthlyPayment.name]: `${payments(option.term_months)} ${inDollars(option.monthly_payment)}`,
  };
}

/** An APR has whole basis points. */
export function inPercent(fraction: number): string {
  return `${(fraction * 100).toFixed(2)}%`;
}
