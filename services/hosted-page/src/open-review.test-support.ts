import type { TestContext } from 'node:test';
import { formIn, SECRET, startPages, storeOf } from './running-hosted-page.test-support.ts';
import type { Answered, RunningPages } from './running-hosted-page.test-support.ts';

export const NOW = Date.parse('2026-11-21T12:00:00.000Z');
export const OPTION = 'opt_20_9';

/** A review page of a live quote, with the form as it stands. */
export async function openReview(t: TestContext, { expressInterest, now = () => NOW }: Opening = {}) {
  const store = storeOf();
  const service = { ...store.service, ...(expressInterest && { expressInterest }) };
  const pages = await startPages(t, { store: service, clock: now, reviewSecrets: [SECRET] });
  const path = `/q/${store.token}`;
  const form = formIn(await pages.get(`${path}/review?option=${OPTION}`));
  const send = (changes: Readonly<Record<string, string>> = {}) =>
    pages.post(`${path}/interest`, { ...form, confirmed: 'yes', ...changes });
  return { store, pages, path, form, send };
}

type Opening = {
  readonly expressInterest?: ReturnType<typeof storeOf>['service']['expressInterest'];
  readonly now?: () => number;
};

/** Of the last request, for the log. */
export function outcomeOf({ lines }: RunningPages): unknown {
  return lines.at(-1)?.['outcome'];
}

/** Where an answer sends its browser, without the token. */
export function destinationOf({ status, headers }: Answered): string {
  return `${status} ${headers.location?.replace(/^\/q\/[\w-]{43}/, '')}`;
}
