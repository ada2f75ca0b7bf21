import type { Words } from '@pfq/hosted-page/words/en';
import { respond as respondByHttp } from '../support/insured.ts';
import { sql } from '../support/sql.ts';
import { choose, press, respond } from './insured.ts';
import type { Mode, Offer, Scene, Visit } from './scene.ts';

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
const UNKNOWN_TOKEN = 'A'.repeat(43);
const ANOTHER_SITE = 'http://another.example/';
const GUESSES = 20;

export const STATES: readonly State[] = [
  state('a quote to choose from', {
    heading: (words) => words.quote.heading,
    says: (words) => [words.quote.notAdvice, words.quote.compare(30), words.estimate],
    reach: async ({ page }, scene) => void (await page.goto((await scene.offer('live')).url)),
  }),
  state('nothing chosen', {
    status: 422,
    heading: (words) => words.quote.heading,
    says: (words) => [words.problems.heading, words.quote.noChoice],
    isTest: true,
    async reach(visit, scene) {
      await visit.page.goto((await scene.offer('test')).url);
      await press(visit, visit.words.quote.review);
    },
  }),
  state('the review of a choice', {
    heading: (words) => words.review.heading,
    says: (words) => [words.review.tell, words.review.whatIsSent, words.estimate],
    note: '',
    reach: async (visit, scene) => void (await review(visit, scene, 'live')),
  }),
  reviewedAgain('not confirmed', {
    note: NOTE,
    says: (words) => [words.problems.notConfirmed],
    async reach(visit) {
      await visit.page.locator('textarea').fill(NOTE);
      await press(visit, visit.words.review.send);
    },
  }),
  reviewedAgain('a note that is too long', {
    note: OVERLONG,
    says: (words) => [words.problems.noteTooLong({ length: 512, most: 500 })],
    reach: (visit) => respond(visit, { note: OVERLONG }),
  }),
  reviewedAgain('a note of characters that are none', {
    note: UNREADABLE,
    says: (words) => [words.problems.noteUnreadable],
    reach: (visit) => respond(visit, { note: UNREADABLE }),
  }),
  reviewedAgain('a form of another day', {
    note: NOTE,
    says: (words) => [words.problems.formOutdated],
    async reach(visit) {
      await visit.page.evaluate(() => document.querySelector('[name=nonce]')?.setAttribute('value', 'older'));
      await respond(visit, { note: NOTE });
    },
  }),
  reviewedAgain('a response that cannot be stored', {
    status: 503,
    note: NOTE,
    says: (words) => [words.problems.unavailable],
    reach: (visit, scene) => during(scene, FULL_DISK, () => respond(visit, { note: NOTE })),
  }),
  state('a response just sent', {
    heading: (words) => words.interested.sentHeading,
    says: (words) => [words.interested.next, ...words.interested.stepsInTest, 'Thanks', words.estimate],
    isTest: true,
    async reach(visit, scene) {
      await review(visit, scene, 'test');
      await respond(visit, { note: 'Thanks' });
    },
  }),
  state('another response than the one that counts', {
    heading: (words) => words.interested.sentAnotherHeading,
    says: (words) => [words.interested.sentAnother, 'I was first'],
    isTest: true,
    async reach(visit, scene) {
      const { url, quote } = await review(visit, scene, 'test');
      await respondByHttp(url, quote.options.at(0)?.id ?? '', 'I was first');
      await respond(visit, { note: 'Me too' });
    },
  }),
  state('a quote with a response', {
    heading: (words) => words.interested.heading,
    says: (words) => [words.interested.chosen, words.interested.noNote],
    isTest: true,
    async reach({ page }, scene) {
      const { url, quote } = await scene.offer('test');
      await respondByHttp(url, quote.options.at(7)?.id ?? '');
      await page.goto(url);
    },
  }),
  state('an expired quote', {
    heading: (words) => words.expired.heading,
    says: (words) => [words.expired.lead, words.expired.until, words.estimate],
    async reach({ page }, scene) {
      const { url } = await scene.offer('live');
      await during(scene, A_MONTH_LATER, () => page.goto(url));
    },
  }),
  state('an ineligible quote', {
    heading: (words) => words.ineligible.heading,
    says: (words) => [words.ineligible.reasons.INSURED_STATE, words.ineligible.next],
    reach: async ({ page }, scene) => void (await page.goto((await scene.offer('live', 'out-of-state')).url)),
  }),
  state('a link that was replaced', {
    status: 410,
    heading: (words) => words.notices.replaced.heading,
    async reach({ page }, scene) {
      const { url, quote } = await scene.offer('live');
      await scene.api('live').ask('POST', `/v1/quotes/${quote.id}/hosted-link`);
      await page.goto(url);
    },
  }),
  state('an unknown link', {
    status: 404,
    heading: (words) => words.notices.unknown.heading,
    reach: async ({ page }, scene) => void (await page.goto(unknownLink(scene))),
  }),
  state('a form of another site', {
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
  state('a response that is too large', {
    status: 413,
    heading: (words) => words.notices.tooLarge.heading,
    async reach(visit, scene) {
      await review(visit, scene, 'live');
      await respond(visit, { note: 'n'.repeat(70_000) });
    },
  }),
  state('a quote store that is away', {
    status: 503,
    heading: (words) => words.notices.unavailable.heading,
    says: (words) => [words.notices.tryAgain],
    async reach({ page }, scene) {
      const { url } = await scene.offer('live');
      await during(scene, AWAY, () => page.goto(url));
    },
  }),
  state('too many guesses', {
    status: 429,
    heading: (words) => words.notices.tooMany.heading,
    says: (words) => [words.notices.tooMany.text(10)],
    async reach({ page }, scene) {
      for (let count = 0; count < GUESSES; count += 1) await page.context().request.get(unknownLink(scene));
      await page.goto(unknownLink(scene));
    },
  }),
];

/** An accident that is brought about and undone by SQL. */
type Accident = { readonly database: string; readonly begin: string; readonly end: string };

const FULL_DISK: Accident = {
  database: 'quote_store',
  begin: `
    CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'full' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON interests EXECUTE FUNCTION fill_disk()`,
  end: 'DROP FUNCTION fill_disk CASCADE',
};
const A_MONTH_LATER: Accident = {
  database: 'quote_store',
  begin: clockAt("now() + interval '31 days'"),
  end: clockAt('now()'),
};
export const AWAY: Accident = {
  database: 'postgres',
  begin: `
    ALTER DATABASE quote_store ALLOW_CONNECTIONS false;
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'quote_store'`,
  end: 'ALTER DATABASE quote_store ALLOW_CONNECTIONS true',
};

export async function during(scene: Scene, accident: Accident, action: () => Promise<unknown>): Promise<void> {
  await sql(scene.stack(), accident.database, accident.begin);
  try {
    await action();
  } finally {
    await sql(scene.stack(), accident.database, accident.end);
  }
}

function clockAt(time: string): string {
  return `CREATE OR REPLACE FUNCTION pfq_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT ${time} $$`;
}

async function review(visit: Visit, scene: Scene, mode: Mode): Promise<Offer> {
  const offer = await scene.offer(mode);
  await visit.page.goto(offer.url);
  await choose(visit, offer.quote.options.at(-1)?.id ?? '');
  return offer;
}

function unknownLink(scene: Scene): string {
  return `${scene.stack().file.hosted_url}/q/${UNKNOWN_TOKEN}`;
}

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
