import assert from 'node:assert/strict';
import type { AfterSending, FilledIn, Page } from '@pfq/hosted-page/pages/page';
import { renderPage } from '@pfq/hosted-page/pages/render';
import { reviewPage } from '@pfq/hosted-page/pages/sample-pages.test-support';
import type { Words } from '@pfq/hosted-page/words/en';
import { respond as respondByHttp } from '../support/insured.ts';
import { A_MONTH_LATER, AWAY, BUG, during, FULL_DISK } from './accidents.ts';
import { guess, press, respond, review, unknownLink } from './insured.ts';
import type { Scene, Visit } from './scene.ts';

/** A state that a page can be in, and what of it the insured sees first. */
export type State = {
  readonly name: string;
  readonly status: number;
  readonly heading: (words: Words) => string;
  /** What else must be there to be read. */
  readonly says: (words: Words) => readonly string[];
  /** The banner of test mode. */
  readonly isTest: boolean;
  /** What the field for it holds; null where there is none. */
  readonly note: string | null;
  /** Brings a new visit there. */
  readonly reach: (visit: Visit, scene: Scene) => Promise<void>;
};

const NOTE = 'Please call before noon.\nAsk for "Dana" <3.';
const OVERLONG = 'é'.repeat(512);
const UNREADABLE = 'a\u{1}b';
const ANOTHER_SITE = 'http://another.example/';

type FormAgain = Extract<Page, { readonly tryAgain: unknown }>['kind'];

/** Every kind of page, with every problem that it can tell of and every way to try again: one that is missing is a type error. */
type Kind =
  | Page['kind']
  | `quote: ${NonNullable<Extract<Page, { kind: 'quote' }>['problem']>}`
  | `review: ${FilledIn['problem']['kind']}`
  | `interested: ${AfterSending}`
  | `${FormAgain}: form`;

const BY_KIND: Readonly<Record<Kind, State>> = {
  quote: state('a quote to choose from', {
    heading: (words) => words.quote.heading,
    says: (words) => [words.quote.notAdvice, words.quote.compare(30), words.estimate],
    reach: async ({ page }, scene) => void (await page.goto((await scene.offer('live')).url)),
  }),
  'quote: no-choice': state('nothing chosen', {
    status: 422,
    heading: (words) => words.quote.heading,
    says: (words) => [words.problems.heading, words.quote.noChoice],
    isTest: true,
    async reach(visit, scene) {
      await visit.page.goto((await scene.offer('test')).url);
      await press(visit, visit.words.quote.review);
    },
  }),
  review: state('the review of a choice', {
    heading: (words) => words.review.heading,
    says: (words) => [words.review.tell, words.review.whatIsSent, words.estimate],
    note: '',
    reach: async (visit, scene) => void (await review(visit, scene, 'live')),
  }),
  'review: not-confirmed': reviewedAgain('not confirmed', {
    note: NOTE,
    says: (words) => [words.problems.notConfirmed],
    async reach(visit) {
      await visit.page.locator('textarea').fill(NOTE);
      await press(visit, visit.words.review.send);
    },
  }),
  'review: note-too-long': reviewedAgain('a note that is too long', {
    note: OVERLONG,
    says: (words) => [words.problems.noteTooLong({ length: 512, most: 500 })],
    reach: (visit) => respond(visit, { note: OVERLONG }),
  }),
  'review: note-unreadable': reviewedAgain('a note of characters that are none', {
    note: UNREADABLE,
    says: (words) => [words.problems.noteUnreadable],
    reach: (visit) => respond(visit, { note: UNREADABLE }),
  }),
  'review: form-outdated': reviewedAgain('a form of another day', {
    note: NOTE,
    says: (words) => [words.problems.formOutdated],
    async reach(visit) {
      await visit.page.evaluate(() => document.querySelector('[name=nonce]')?.setAttribute('value', 'older'));
      await respond(visit, { note: NOTE });
    },
  }),
  'review: unavailable': reviewedAgain('a response that cannot be stored', {
    status: 503,
    note: NOTE,
    says: (words) => [words.problems.unavailable],
    reach: (visit, scene) => during(scene, FULL_DISK, () => respond(visit, { note: NOTE })),
  }),
  'review: unknown-outcome': reviewedAgain('a response whose fate is unknown', {
    status: 503,
    note: NOTE,
    says: (words) => [words.problems.unknownOutcome],
    // For the real one the insured waits as long as the page may take to answer.
    async reach(visit) {
      const { page, language } = visit;
      const shown = reviewPage({ note: NOTE, problem: { kind: 'unknown-outcome' } });
      const body = renderPage(shown, { language, switchTo: null });
      await page.route('**/interest?*', (route) => route.fulfill({ status: 503, contentType: 'text/html', body }));
      await respond(visit, { note: NOTE });
    },
  }),
  'interested: sent': state('a response just sent', {
    heading: (words) => words.interested.sentHeading,
    says: (words) => [words.interested.next, ...words.interested.stepsInTest, 'Thanks', words.estimate],
    isTest: true,
    async reach(visit, scene) {
      await review(visit, scene, 'test');
      await respond(visit, { note: 'Thanks' });
    },
  }),
  'interested: sent-before': state('the same choice as in a response before', {
    heading: (words) => words.interested.sentBeforeHeading,
    says: (words) => [words.interested.sentBefore, 'I was first'],
    isTest: true,
    async reach(visit, scene) {
      const { url, quote } = await review(visit, scene, 'test');
      await respondByHttp(url, quote.options.at(-1)?.id ?? '', 'I was first');
      await respond(visit, { note: 'Me too' });
    },
  }),
  'interested: sent-another': state('another response than the one that counts', {
    heading: (words) => words.interested.sentBeforeHeading,
    says: (words) => [words.interested.sentAnother, 'I was first'],
    isTest: true,
    async reach(visit, scene) {
      const { url, quote } = await review(visit, scene, 'test');
      await respondByHttp(url, quote.options.at(0)?.id ?? '', 'I was first');
      await respond(visit, { note: 'Me too' });
    },
  }),
  interested: state('a quote with a response', {
    heading: (words) => words.interested.heading,
    says: (words) => [words.interested.chosen, words.interested.noNote],
    isTest: true,
    async reach({ page }, scene) {
      const { url, quote } = await scene.offer('test');
      await respondByHttp(url, quote.options.at(7)?.id ?? '');
      await page.goto(url);
    },
  }),
  expired: state('an expired quote', {
    heading: (words) => words.expired.heading,
    says: (words) => [words.expired.lead, words.expired.until, words.estimate],
    async reach({ page }, scene) {
      const { url } = await scene.offer('live');
      await during(scene, A_MONTH_LATER, () => page.goto(url));
    },
  }),
  ineligible: state('an ineligible quote', {
    heading: (words) => words.ineligible.heading,
    says: (words) => [words.ineligible.reasons.INSURED_STATE, words.ineligible.next],
    reach: async ({ page }, scene) => void (await page.goto((await scene.offer('live', 'out-of-state')).url)),
  }),
  replaced: state('a link that was replaced', {
    status: 410,
    heading: (words) => words.notices.replaced.heading,
    isTest: true,
    async reach({ page }, scene) {
      const { url, quote } = await scene.offer('test');
      await scene.api('test').ask('POST', `/v1/quotes/${quote.id}/hosted-link`);
      await page.goto(url);
    },
  }),
  unknown: state('an unknown link', {
    status: 404,
    heading: (words) => words.notices.unknown.heading,
    reach: async ({ page }, scene) => void (await page.goto(unknownLink(scene))),
  }),
  'foreign-form': state('a form of another site', {
    status: 403,
    heading: (words) => words.notices.foreignForm.heading,
    async reach(visit, scene) {
      const { page } = visit;
      await review(visit, scene, 'live');
      const form = await page.locator('form').evaluate(({ outerHTML }) => outerHTML);
      const body = form.replace('action="', `action="${new URL(page.url()).origin}`);
      await page.route(ANOTHER_SITE, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
      await page.goto(ANOTHER_SITE);
      await respond(visit, { note: NOTE });
    },
  }),
  'too-large': state('a response that is too large', {
    status: 413,
    heading: (words) => words.notices.tooLarge.heading,
    async reach(visit, scene) {
      await review(visit, scene, 'live');
      await respond(visit, { note: 'n'.repeat(300_000) });
    },
  }),
  unavailable: state('a quote store that is away', {
    status: 503,
    heading: (words) => words.notices.unavailable.heading,
    says: (words) => [words.notices.tryAgain],
    async reach({ page }, scene) {
      const { url } = await scene.offer('live');
      await during(scene, AWAY, () => page.goto(url));
    },
  }),
  'unavailable: form': keptForLater('a response while the quote store is away', {
    status: 503,
    heading: (words) => words.notices.unavailable.heading,
    says: (words) => [words.notices.kept],
    reach: (visit, scene) => during(scene, AWAY, () => respond(visit, { note: NOTE })),
  }),
  failed: state('a bug', {
    status: 500,
    heading: (words) => words.notices.failed.heading,
    says: (words) => [words.notices.failed.text, 'req_', words.notices.tryAgain],
    async reach({ page }, scene) {
      const { url } = await scene.offer('live');
      await during(scene, BUG, () => page.goto(url));
    },
  }),
  'failed: form': keptForLater('a response that meets a bug', {
    status: 500,
    heading: (words) => words.notices.failed.heading,
    says: (words) => ['req_', words.problems.unknownOutcome],
    reach: (visit, scene) => during(scene, BUG, () => respond(visit, { note: NOTE })),
  }),
  'too-many': state('too many guesses', {
    status: 429,
    heading: (words) => words.notices.tooMany.heading,
    says: (words) => [words.notices.tooMany.text(10)],
    async reach({ page }, scene) {
      await guess({ page }, scene);
      await page.goto(unknownLink(scene));
    },
  }),
  'too-many: form': keptForLater('a response after too many guesses', {
    status: 429,
    heading: (words) => words.notices.tooMany.heading,
    says: (words) => [words.notices.kept],
    async reach(visit, scene) {
      await guess(visit, scene);
      await respond(visit, { note: NOTE });
    },
  }),
};

export const STATES: readonly State[] = Object.values(BY_KIND);

type Described = Pick<State, 'heading' | 'reach'> & Partial<State>;

function state(name: string, described: Described): State {
  return { name, status: 200, says: () => [], isTest: false, note: null, ...described };
}

/** The review page after its form was sent, which `reach` does. */
function reviewedAgain(
  name: string,
  { says, reach, status = 422, note }: Omit<Described, 'heading'> & Pick<State, 'note'>,
): State {
  return state(name, {
    status,
    note,
    heading: (words) => words.review.heading,
    says: (words) => [words.problems.heading, ...(says?.(words) ?? [])],
    async reach(visit, scene) {
      await review(visit, scene, 'live');
      await reach(visit, scene);
    },
  });
}

/** A page without a quote that holds all that was filled in, and sends it once more. */
function keptForLater(name: string, { says, reach, ...described }: Described): State {
  return state(name, {
    ...described,
    says: (words) => [words.notices.sendAgain, ...(says?.(words) ?? [])],
    async reach(visit, scene) {
      await review(visit, scene, 'live');
      await reach(visit, scene);
      const sent = await visit.page.locator('form').evaluate((form: HTMLFormElement) => [...new FormData(form)]);
      assert.partialDeepStrictEqual(Object.fromEntries(sent), { note: NOTE, confirmed: 'yes' });
    },
  });
}
