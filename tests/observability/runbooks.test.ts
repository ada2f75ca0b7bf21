import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { docsSite } from '@pfq/gateway/docs/site';
import { openApiDocument } from '@pfq/gateway/openapi/document';
import { ERROR_CODES } from '@pfq/kit/error-codes';
import { serveHttp } from '@pfq/kit/http';
import type { HttpServer } from '@pfq/kit/http';
import express from 'express';
import { RUNBOOKS, writtenBoards, writtenRules, writtenRunbooks } from './observability-files.ts';

const DOCS_URL = 'https://api.example/docs';
const PARTS = ['What users notice', 'Look', 'Causes', 'It is over'];
const ROOT = path.resolve(import.meta.dirname, '../..');
/** `"event published"`: the message of a log line. */
const MESSAGE = /`"([^"`]+)"`/g;
/** `MAIL_FROM`: a setting, or a code of the API. */
const NAME = /`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g;

const alerts = writtenRules().filter(({ alert }) => alert !== undefined);
const runbooks = writtenRunbooks();
const index = readFileSync(path.join(RUNBOOKS, 'index.md'), 'utf8');
const sources = globSync('services/*/src/**/*.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' })
  .filter((file) => !/\.test(-support)?\.ts$/.test(file))
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'))
  .join('\n');

describe('runbooks', () => {
  let server: HttpServer;

  before(async () => {
    const baseUrl = 'https://api.example';
    const openApi = openApiDocument({ serverUrl: baseUrl, docsUrl: DOCS_URL });
    const handler = express().use('/docs', docsSite({ baseUrl, docsUrl: DOCS_URL, openApi }));
    server = await serveHttp({ handler, host: '127.0.0.1', port: 0, connectionAgeMs: null });
  });
  after(() => server.stop());

  it('are found where alerts point to, on the documentation site', async () => {
    const missing: string[] = [];
    for (const { alert = '', annotations } of alerts) {
      const url = annotations?.['runbook_url']?.replace('{{ $externalLabels.docs_url }}', DOCS_URL) ?? '';
      const answer = await fetch(url.replace(DOCS_URL, `http://127.0.0.1:${server.port}/docs`));
      if (answer.status !== 200 || !(await answer.text()).includes(`<h1>${alert}</h1>`))
        missing.push(`${alert}: ${url}`);
    }
    assert.deepEqual(missing, []);
  });

  it('belong to an alert each, and the page that lists them has every one', () => {
    const wanted = new Set(alerts.map(({ annotations }) => annotations?.['runbook_url']?.split('/').at(-1) ?? ''));
    assert.deepEqual([...runbooks.keys()], [...wanted].sort());
    assert.deepEqual(
      [...runbooks.keys()].filter((name) => !index.includes(`](${name}.md)`)),
      [],
    );
  });
});

describe('a runbook', () => {
  for (const [name, text] of runbooks) {
    it(`says what users notice, where to look, why it may be and when it is over: ${name}`, () => {
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(
        headings.filter((heading) => heading !== 'Do'),
        PARTS,
      );
    });
  }

  it('names log lines that are written, and settings and codes that there are', () => {
    const all = [index, ...runbooks.values()].join('\n');
    const messages = [...all.matchAll(MESSAGE)].map(([, message = '']) => message);
    const names = [...all.matchAll(NAME)].map(([, name = '']) => name);
    assert.ok(messages.length > 20 && names.length > 20);
    assert.deepEqual(
      messages.filter((message) => !isWritten(message)),
      [],
    );
    assert.deepEqual(
      names.filter((name) => !(name in ERROR_CODES) && !sources.includes(`'${name}'`)),
      [],
    );
  });

  it('names dashboards and panels that there are', () => {
    const all = [index, ...runbooks.values()].join('\n').replaceAll('\n', ' ');
    const boards = writtenBoards();
    const panels = boards.flatMap((board) => board.panels.map(({ title }) => title));
    const named = [...all.matchAll(/"(pfq · [^"]+)"/g)].map(([, title = '']) => title);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((title) => !boards.some((board) => board.title === title)),
      [],
    );
    const ofPanels = [...all.matchAll(/panels? ((?:"[^"]+"(?:,| and)? ?)+)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title),
    );
    assert.ok(ofPanels.length > 3);
    assert.deepEqual(
      ofPanels.filter((title) => !panels.some((panel) => panel.startsWith(title))),
      [],
    );
  });
});

/** Some messages go on with what happened. */
function isWritten(message: string): boolean {
  return sources.includes(`'${message}'`) || sources.includes(`\`${message}`);
}
