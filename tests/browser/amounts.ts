import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { inDollars } from '../support/amounts.ts';
import { until } from '../support/until.ts';
import type { Scene } from './scene.ts';
import { boxOf, inPercent, readBox } from './walks.ts';

const LARGEST_BYTES = 10 * 1024;
const SECONDS = 5_000;

/** The page beside the API's answer. */
export function amounts(scene: Scene): void {
  for (const example of ['roofing-contractor', 'twenty-five-policies']) {
    it(`shows every amount of every option as the API gives it: ${example}`, async () => {
      const { url, quote } = await scene.offer('live', example);
      const visit = await scene.open({ width: 1280 });
      const { page, words } = visit;
      await page.goto(url);
      const rows = await page.locator('tbody tr').evaluateAll((trs) =>
        trs.map((tr) => ({
          id: tr.querySelector('input')?.value,
          monthly: tr.querySelector('label > span')?.textContent,
          others: Array.from(tr.querySelectorAll('td'), (td) => td.lastChild?.textContent),
        })),
      );
      assert.equal(rows.length, 30);
      assert.deepEqual(
        rows,
        quote.options.map((option) => ({
          id: option.id,
          monthly: `${words.payments(option.term_months)} ${inDollars(option.monthly_payment)}`,
          others: [
            inPercent(option.apr),
            ...[option.finance_charge, option.amount_financed, option.total_of_payments].map(inDollars),
            ...[option.down_payment, option.total_cost].map(inDollars),
          ],
        })),
      );
      const recommended = quote.options.find(({ id }) => id === quote.recommended_option_id);
      assert.deepEqual(await readBox(visit), recommended && boxOf(recommended, words));
      const { policies, totals } = quote;
      const financed = [...policies.map(({ total }) => total), totals.premium, totals.taxes_and_fees, totals.total];
      assert.deepEqual(await page.locator('.sums dd').allTextContents(), financed.map(inDollars));
    });

    it(`takes one request and at most 10 KB, compressed either way: ${example}`, async () => {
      const { url } = await scene.offer('live', example);
      const earlier = scene.stack().output().length;
      const routes = () => routesIn(scene.stack().output().slice(earlier));
      const visit = await scene.open();
      for (let count = 0; count < 2; count += 1) await visit.page.goto(url);
      assert.deepEqual(visit.asked, [`GET ${url}`, `GET ${url}`]);
      // The browser keeps what it asks for by itself, such as an icon, from its tests; the server sees it.
      await until(() => routes().length >= 2, SECONDS);
      assert.deepEqual(routes(), ['/q/{token}', '/q/{token}']);
      for (const encoding of ['br', 'gzip']) {
        const { coding, bytes } = await download(url, encoding);
        assert.equal(coding, encoding);
        assert.ok(bytes <= LARGEST_BYTES, `${bytes} bytes of ${encoding}`);
      }
    });
  }
}

/** What the hosted page was asked for, by what a stack has printed. */
function routesIn(output: string): readonly string[] {
  return Array.from(output.matchAll(/^hosted-page .* INFO +[A-Z]+ (\S+) \d{3} in /gm), ([, route = '']) => route);
}

/** As it comes over the wire. */
function download(
  url: string,
  encoding: string,
): Promise<{ readonly coding: string | undefined; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { 'Accept-Encoding': encoding } }, (response) => {
      const coding = response.headers['content-encoding'];
      buffer(response).then((body) => resolve({ coding, bytes: body.length }), reject);
    });
    asked.on('error', reject).end();
  });
}
