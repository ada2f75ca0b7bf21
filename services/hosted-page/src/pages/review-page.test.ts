import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { FilledIn, Page } from './page.ts';
import { renderPage } from './render.ts';
import { decode, reviewPage, tagsOf, textOf } from './sample-pages.test-support.ts';

describe('the review of a choice', () => {
  const html = render(reviewPage(null));

  test('shows the chosen option and no other, with a way back to where it was chosen', () => {
    assert.match(textOf(html), /20% down, 6 monthly payments/);
    assert.equal(html.match(/class="box"/g)?.length, 1);
    assert.match(html, /href="\/q\/token\?lang=en#opt-20-6"/);
  });

  test('has one form, which posts what its page was made for', () => {
    const forms = tagsOf(html).filter((tag) => tag.startsWith('<form'));
    assert.equal(forms.length, 1);
    assert.match(forms[0] ?? '', /method="post" action="\/q\/token\/interest\?lang=en"/);
    const fields = tagsOf(html).filter((tag) => / name="/.test(tag) && !tag.startsWith('<meta'));
    const named = fields.map((tag) => `${/ name="(\w+)"/.exec(tag)?.[1]}=${/ value="([^"]*)"/.exec(tag)?.[1] ?? ''}`);
    assert.deepEqual(named, ['nonce=a.nonce', 'option=opt_20_6', 'note=', 'confirmed=yes']);
  });

  test('demands a confirmation that nothing but a person checks, and says who is told of what', () => {
    const box = tagsOf(html).find((tag) => tag.includes('type="checkbox"')) ?? '';
    assert.match(box, / required/);
    assert.doesNotMatch(box, / checked/);
    const told = 'Yes, tell Rosa Vega at Hill Country Agency that Bluebonnet Bakery LLC is interested in this option.';
    assert.ok(textOf(html).includes(told));
    assert.match(textOf(html), /gets an email with this option, its amounts and your note/);
  });

  test('says in test mode that nobody is told', () => {
    assert.match(textOf(render(reviewPage(null, { mode: 'test' }))), /but nobody gets an email/);
  });

  test('never lets a browser cut the note', () => assert.doesNotMatch(html, /maxlength/i));
});

describe('a response that has to be sent again', () => {
  const cases: readonly [FilledIn['problem'], { readonly says: RegExp; readonly field: string | null }][] = [
    [{ kind: 'not-confirmed' }, { says: /Check the box/, field: 'confirmed' }],
    [
      { kind: 'note-too-long', length: 512 },
      { says: /512 of 500 characters: shorten it by 12\./, field: 'note' },
    ],
    [{ kind: 'note-unreadable' }, { says: /characters that cannot be sent/, field: 'note' }],
    [{ kind: 'form-outdated' }, { says: /open for too long/, field: null }],
    [{ kind: 'unavailable' }, { says: /nothing was stored/, field: null }],
    [{ kind: 'unknown-outcome' }, { says: /counts only once/, field: null }],
  ];
  for (const [problem, { says, field }] of cases) {
    test(`tells of "${problem.kind}" at the top${field === null ? '' : ' and at its field'}`, () => {
      const html = render(reviewPage({ note: 'My note', problem }));
      assert.match(html, /<title>Problem: /);
      assert.match(/<div class="errors" role="alert"[^]*?<\/div>/.exec(html)?.[0] ?? '', says);
      const invalid = tagsOf(html).filter((tag) => tag.includes('aria-invalid="true"'));
      assert.deepEqual(
        invalid.map((tag) => /id="(\w+)"/.exec(tag)?.[1]),
        field === null ? [] : [field],
      );
      for (const tag of invalid) {
        assert.ok(html.includes(`href="#${field}"`));
        assert.match(tag, new RegExp(`aria-describedby="[^"]*${field}-problem`));
        assert.ok(html.includes(`id="${field}-problem"`));
      }
    });
  }

  test('keeps every character of the note', () => {
    const notes = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\n', '\n\nx', '</textarea><b>', '&amp;"', ' '),
    );
    fc.assert(
      fc.property(notes, (note) => {
        const html = render(reviewPage({ note, problem: { kind: 'unavailable' } }));
        const [, content = ''] = /<textarea[^>]*>([^]*?)<\/textarea>/.exec(html) ?? [];
        // A browser drops the first line break of the field.
        assert.equal(decode(content), `\n${note}`);
      }),
    );
  });
});

function render(page: Page): string {
  return renderPage(page, { language: 'en', switchTo: null });
}
