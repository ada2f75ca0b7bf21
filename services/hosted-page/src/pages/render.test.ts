import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Page } from './page.ts';
import { renderPage } from './render.ts';
import { INTERESTED, PAGES, quotePage, reviewPage, tagsOf, textOf } from './sample-pages.test-support.ts';

const LANGUAGES = ['en', 'es'] as const;

for (const [name, page] of PAGES) {
  for (const language of LANGUAGES) {
    const html = renderPage(page, { language, switchTo: '/q/token?lang=xx' });
    const tags = tagsOf(html);
    const isReview = page.kind === 'review';

    describe(`the page "${name}" (${language})`, () => {
      test('is a whole document in its language, with one main heading and a way to the other language', () => {
        assert.ok(html.startsWith(`<!doctype html><html lang="${language}">`));
        assert.equal(tags.filter((tag) => tag === '<h1>').length, 1);
        const other = language === 'en' ? 'es' : 'en';
        assert.ok(html.includes(`href="/q/token?lang=xx" lang="${other}" hreflang="${other}"`));
      });

      test('is not to be found, and its title names no one', () => {
        assert.ok(tags.includes('<meta name="robots" content="noindex,nofollow"/>'));
        const [, title = ''] = /<title>(.*?)<\/title>/.exec(html) ?? [];
        assert.match(
          title,
          language === 'en' ? /Premium finance estimate$/ : /Estimación de financiamiento de primas$/,
        );
        assert.doesNotMatch(title, /Bluebonnet|Hill|Vega|\$/);
      });

      test('names no address but those of its own, loads nothing, and has no style or script in attributes', () => {
        const addresses = tags.flatMap((tag) => [...tag.matchAll(/ (?:href|src|action)="([^"]*)"/g)]);
        const foreign = addresses.map(([, address = '']) => address).filter((address) => !isOwn(address));
        assert.deepEqual(foreign, []);
        assert.doesNotMatch(tags.join(''), / style=| on\w+=|<(?:img|iframe|object|embed|base)\b/);
        assert.equal(tags.filter((tag) => tag.startsWith('<script')).length, isReview ? 1 : 0);
      });

      test('has every id once, and every reference leads to one', () => {
        const ids = tags.flatMap((tag) => [...tag.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
        assert.equal(new Set(ids).size, ids.length);
        const references = tags.flatMap((tag) => [
          ...[...tag.matchAll(/ (?:for|aria-\w+by)="([^"]*)"/g)].flatMap(([, named = '']) => named.split(' ')),
          ...[...tag.matchAll(/ href="#([^"]*)"/g)].map(([, id = '']) => id),
        ]);
        assert.deepEqual(
          references.filter((reference) => !ids.includes(reference)),
          [],
        );
      });

      test('says that it is a test quote exactly where it is one', () => {
        const isTest = name.includes('test mode');
        assert.equal(/Test quote\.|Cotización de prueba\./.test(textOf(html)), isTest);
      });
    });
  }
}

describe('names and notes that are hostile', () => {
  test('never become markup', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '<script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        "' onfocus='x",
        '</style>',
        '&lt;b&gt;',
      ),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        for (const [actual, harmless] of pagesNaming(text)) {
          assert.deepEqual(tagsOf(actual), tagsOf(harmless));
        }
      }),
    );
  });

  test('are shown as they are', () => {
    const name = '<b>"O\'Neil" & Sons</b>';
    const html = renderPage(quotePage({ insuredName: name }), { language: 'en', switchTo: null });
    assert.ok(textOf(html).includes(name));
  });

  test('are set apart wherever a name stands, without what would turn the text around them', () => {
    const name = '\u202A\u202B\u202D\u202EName\u202C\u2066\u2067\u2068\u2069';
    for (const [html] of pagesNaming(name)) {
      const withoutNote = html.replaceAll(/<(textarea|span class="note")[^]*?<\/(?:textarea|span)>/g, '');
      assert.doesNotMatch(withoutNote, /[\u202A-\u202E\u2066-\u2069]/);
      assert.ok(withoutNote.includes('<bdi>Name</bdi>'));
      assert.doesNotMatch(withoutNote.replaceAll('<bdi>Name</bdi>', ''), />[^<]*\bName\b/);
    }
  });

  test('do not add a recipient or a text to the message that a link starts', () => {
    const broker = { name: null, email: 'a?cc=b@example.com&body=x' };
    const html = renderPage(quotePage({ broker }), { language: 'en', switchTo: null });
    assert.ok(html.includes('href="mailto:a%3Fcc%3Db@example.com%26body%3Dx"'));
  });
});

/** Pages that show a text wherever one of a caller or an insured is shown, each with its like that shows "x". */
function pagesNaming(text: string): readonly (readonly [string, string])[] {
  const make = (shown: string): readonly Page[] => {
    const changes = {
      insuredName: shown,
      agencyName: shown,
      broker: { name: shown, email: 'rosa@hill-country.example' },
      policies: [{ carrierName: shown, total: '1.00' }],
    };
    const interest = INTERESTED.interest === null ? null : { ...INTERESTED.interest, note: shown };
    return [
      quotePage(changes),
      reviewPage({ note: shown, problem: { kind: 'not-confirmed' } }, changes),
      { kind: 'interested', quote: { ...INTERESTED, ...changes, interest }, after: 'sent' },
    ];
  };
  const [actual, harmless] = [make(text), make('x')].map((pages) =>
    pages.map((page) => renderPage(page, { language: 'en', switchTo: null })),
  );
  return actual?.map((html, index) => [html, harmless?.[index] ?? ''] as const) ?? [];
}

function isOwn(address: string): boolean {
  return address === 'data:,' || /^(?:#|\/q\/token\b|mailto:)/.test(address);
}
