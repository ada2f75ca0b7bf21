import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DETAIL_CODES } from '@pfq/kit/detail-codes';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import { serveHttp } from '@pfq/kit/http';
import type { HttpServer } from '@pfq/kit/http';
import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import express from 'express';
import { openApiDocument } from '../openapi/document.ts';
import { docsSite } from './site.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../../../docs/api');
const RUNBOOKS = path.resolve(import.meta.dirname, '../../../../docs/runbooks');
const NAMES = [
  ...readdirSync(SOURCES).map((file) => file.replace('.md', '')),
  ...readdirSync(RUNBOOKS).map((file) => (file === 'index.md' ? 'runbooks' : `runbooks/${file.replace('.md', '')}`)),
];
const BASE_URL = 'https://api.example';
const DOCS_URL = 'https://api.example/docs';

describe('the documentation site', () => {
  let server: HttpServer;
  const get = (address: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${address}`, init);
  const read = async (name: string) => (await get(addressOf(name))).text();

  before(async () => {
    const openApi = openApiDocument({ serverUrl: BASE_URL, docsUrl: DOCS_URL });
    const handler = express().use('/docs', docsSite({ baseUrl: BASE_URL, docsUrl: DOCS_URL, openApi }));
    server = await serveHttp({ handler, host: '127.0.0.1', port: 0, connectionAgeMs: null });
  });
  after(() => server.stop());

  it('leads from the overview to every page, and every link on them to a page and a place on it', async () => {
    const pages = new Map<string, string>();
    const waiting = ['/docs'];
    const dead: string[] = [];
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      if (pages.has(address)) continue;
      const answer = await get(address);
      pages.set(address, await answer.text());
      if (answer.status !== 200) dead.push(address);
      if (!answer.headers.get('Content-Type')?.startsWith('text/html')) continue;
      for (const link of linksOf(pages.get(address) ?? ''))
        waiting.push(...(link.startsWith('/docs') ? [link.split('#')[0] ?? ''] : []));
    }
    for (const [address, html] of pages) {
      for (const link of linksOf(html)) {
        if (link === '/openapi.json') continue;
        const [place = '', anchor] = link.split('#');
        const target = pages.get(place === '' ? address : place);
        if (target === undefined || (anchor !== undefined && !idsOf(target).includes(anchor)))
          dead.push(`${address}: ${link}`);
      }
    }
    assert.deepEqual(dead, []);
    assert.deepEqual(
      NAMES.filter((name) => !pages.has(addressOf(name))),
      [],
    );
  });

  it('has exactly one place for every error code and every detail code, where doc_url leads', async () => {
    const ids = idsOf(await read('errors'));
    for (const code of [...Object.keys(ERROR_CODES), ...Object.keys(DETAIL_CODES)]) {
      assert.equal(ids.filter((id) => id === code).length, 1, code);
    }
  });

  it('lists every coverage type', async () => {
    const html = await read('coverage-types');
    assert.deepEqual(
      COVERAGE_TYPES.filter(({ type }) => !html.includes(`<td><code>${type}</code></td>`)),
      [],
    );
  });

  for (const name of NAMES) {
    it(`shows ${name} without scripts, styles of elements, or anything from elsewhere`, async () => {
      const html = await read(name);
      assert.doesNotMatch(html, /<(script|iframe|object|embed|form|base|meta http-equiv)|javascript:/i);
      assert.doesNotMatch(html, /<[^>]+\s(on\w+|style)=/i);
      assert.doesNotMatch(html, /@import|url\((?!#)/);
      const addresses = [...html.matchAll(/\s(?:href|src|srcset|action)="([^"]*)"/g)].map(
        ([, address = '']) => address,
      );
      assert.deepEqual(
        addresses.filter((address) => !/^[/#](?!\/)/.test(address)),
        [],
      );
    });

    it(`shows ${name} to people who do not see it: landmarks, one title, headings in order, unique places`, async () => {
      const html = await read(name);
      assert.match(html, /<html lang="en">/);
      assert.match(html, /<a class="skip" href="#content">/);
      assert.match(html, /<main id="content" tabindex="-1">/);
      assert.match(html, /<title>[^<]+<\/title>/);
      assert.match(html, /<meta name="description" content="[^"]{20,}">/);
      assert.equal(html.match(/<a [^>]*aria-current="page"/g)?.length, 2, 'in the menu and beside the page');
      const depths = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, depth]) => Number(depth));
      assert.deepEqual(depths.filter((depth) => depth === 1).length, 1);
      assert.ok(
        depths.every((depth, index) => depth <= (depths[index - 1] ?? 0) + 1),
        'no level is left out',
      );
      const ids = idsOf(html);
      assert.equal(new Set(ids).size, ids.length);
    });
  }

  it('lets browsers load and run nothing but what a page carries', async () => {
    const { headers } = await get('/docs/errors');
    const policy = headers.get('Content-Security-Policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; img-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*|http|data:/);
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
    assert.equal(headers.get('Referrer-Policy'), 'no-referrer');
    assert.equal(headers.get('Content-Type'), 'text/html; charset=utf-8');
  });

  const known = ['/docs', '/docs/', '/docs/errors', '/docs/errors/', '/docs/errors?from=log', '/docs/icon.svg'];
  for (const address of known) {
    it(`finds ${address}`, async () => assert.equal((await get(address)).status, 200));
  }

  for (const address of [
    '/docs/nothing',
    '/docs/errors/more',
    '/docs/Errors',
    '/docs//errors',
    '/docs/%',
    '/docs/runbooks/nothing',
  ]) {
    it(`answers ${address} with a page that leads back`, async () => {
      const answer = await get(address);
      assert.equal(answer.status, 404);
      assert.equal(answer.headers.get('Content-Type'), 'text/html; charset=utf-8');
      assert.match(await answer.text(), /<main[^>]*>\s*<h1>Page not found<\/h1>\s*<p>[^<]*<a href="\/docs">/);
    });
  }

  it('takes no other method', async () => {
    const answer = await get('/docs/quotes', { method: 'POST', body: '{}' });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('Allow'), 'GET, HEAD');
  });
});

function addressOf(name: string): string {
  return name === 'index' ? '/docs' : `/docs/${name}`;
}

function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/<(?:a|link) [^>]*href="([^"]*)"/g)].map(([, address = '']) => address);
}

function idsOf(html: string): readonly string[] {
  return [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
}
