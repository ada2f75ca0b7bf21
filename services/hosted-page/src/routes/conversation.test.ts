import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unavailable } from '@pfq/kit/errors';
import { recordTelemetry } from '@pfq/kit/telemetry/recording.test-support';
import { currentTrace } from '@pfq/kit/telemetry/spans';
import { openReview } from '../open-review.test-support.ts';
import { startPages, storeOf } from '../running-hosted-page.test-support.ts';
import { QUOTE_ID } from '../sample-quote.test-support.ts';

const recording = recordTelemetry();
const TRACE = 'a'.repeat(32);
const CALLER = 'b'.repeat(16);

test('a page is a span of its route, outcome and quote, which holds nothing of the token', async (t) => {
  const store = storeOf();
  const pages = await startPages(t, { store: store.service });
  recording.forgetSpans();
  const { headers } = await pages.get(`/q/${store.token}?lang=es`);
  const [span] = recording.spans();
  assert.equal(span?.name, 'GET /q/{token}');
  assert.deepEqual(span.attributes, {
    'http.request.method': 'GET',
    'http.route': '/q/{token}',
    'http.response.status_code': 200,
    'pfq.request.id': headers['request-id'],
    'pfq.quote.id': QUOTE_ID,
    'pfq.hosted.outcome': 'quote',
  });
  assert.doesNotMatch(JSON.stringify(recording.spans()), new RegExp(store.token));
});

test("the insured's tap is part of its caller's trace as far as the quote store", async (t) => {
  const seen: (string | undefined)[] = [];
  const { pages, path, form } = await openReview(t, {
    expressInterest() {
      seen.push(currentTrace().traceparent);
      throw unavailable('away');
    },
  });
  recording.forgetSpans();
  await pages.post(`${path}/interest`, { ...form, confirmed: 'yes' }, { traceparent: `00-${TRACE}-${CALLER}-01` });
  const [span] = recording.spans();
  assert.deepEqual([span?.name, span?.traceId, span?.parentId], ['POST /q/{token}/interest', TRACE, CALLER]);
  assert.deepEqual([span?.hasFailed, span?.attributes['error.type']], [true, 'SERVICE_UNAVAILABLE']);
  assert.deepEqual(seen, [`00-${TRACE}-${span?.id}-01`]);
});

test('pages are counted by what they say, refused guesses among them', async (t) => {
  const pages = await startPages(t, { store: storeOf().service });
  const before = await outcomes();
  for (let guess = 0; guess < 22; guess += 1) await pages.get(`/q/${'x'.repeat(43)}`);
  const after = await outcomes();
  assert.equal((after.get('unknown') ?? 0) - (before.get('unknown') ?? 0), 20);
  assert.equal((after.get('too-many') ?? 0) - (before.get('too-many') ?? 0), 2);
});

async function outcomes(): Promise<ReadonlyMap<unknown, number>> {
  const readings = await recording.readings('pfq.hosted.pages');
  return new Map(readings.map(({ value, attributes }) => [attributes['pfq.hosted.outcome'], value]));
}
