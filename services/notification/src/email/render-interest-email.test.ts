import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Interest } from './interest.ts';
import { INTEREST } from './interest.test-support.ts';
import { renderInterestEmail } from './render-interest-email.ts';

const PORTAL = { portalUrl: 'https://portal.example' };
const LINK = `https://portal.example/quotes/${INTEREST.quoteId}`;
const NAMELESS: Interest = {
  ...INTEREST,
  clientReferenceId: null,
  insuredName: null,
  agencyName: null,
  brokerName: null,
  note: null,
};

test('the subject tells who is interested in what', () => {
  const subjectOf = (changes: Partial<Interest>) => renderInterestEmail({ ...INTEREST, ...changes }, PORTAL).subject;
  const once = { ...INTEREST.option, termMonths: 1 };
  assert.equal(subjectOf({}), 'Hill Country Roofing LLC is interested in 9 monthly payments of $1,389.57');
  assert.equal(
    subjectOf({ insuredName: null, option: once }),
    'Your client is interested in 1 monthly payment of $1,389.57',
  );
  assert.equal(
    subjectOf({ insuredName: 'x'.repeat(200) }),
    `${'x'.repeat(59)}… is interested in 9 monthly payments of $1,389.57`,
  );
});

test('the text says everything by itself', () => {
  const { text } = renderInterestEmail(INTEREST, PORTAL);
  assert.equal(
    text,
    `Hill Country Roofing LLC chose $2,913.75 down, then 9 × $1,389.57 a month, APR 16.92%

Hello Dana Reyes,

Hill Country Roofing LLC has opened your premium finance quote and is interested in this option:

  $2,913.75 down, then 9 monthly payments of $1,389.57

  Annual percentage rate (APR)  16.92%
  Finance charge                $851.13
  Amount financed               $11,655.00
  Total of payments             $12,506.13
  Down payment (20%)            $2,913.75
  Total cost                    $15,419.88

Their note:

> Can we start on December 1?
>
> Please call me after 3 pm.

Open the quote in the portal:
https://portal.example/quotes/qte_0Uz3kQ9aXbcdefghijklmn

  Insured         Hill Country Roofing LLC
  Agency          Lone Star Insurance Agency
  Your reference  HCR-2026-0117
  Quote           qte_0Uz3kQ9aXbcdefghijklmn
  Option          opt_20_9
  Received        November 21, 2026 at 2:07 PM CST (2026-11-21 20:07:25 UTC)

This is an estimate, not a premium finance agreement. The insured has signed nothing.
You get this email because you are the broker of this quote at Lone Star Insurance Agency.
`,
  );
});

test('without names, reference and note it still reads well', () => {
  const { text, html } = renderInterestEmail(NAMELESS, PORTAL);
  assert.match(
    text,
    /^Your client chose \$2,913\.75 down, .*\n\nHello,\n\nYour client has opened your premium finance quote/,
  );
  assert.match(text, /You get this email because you are the broker of this quote\.\n$/);
  for (const words of [text, visible(html)])
    assert.doesNotMatch(words, /null|undefined|Their note|Insured |Agency |ref/);
});

test('the HTML says what the text says, with one link, to the portal', () => {
  const { text, html } = renderInterestEmail(INTEREST, PORTAL);
  const shown = visible(html);
  const said = text.split('\n').flatMap((line) => line.replace(/^> /, '').trim().split(/ {2,}/));
  const kept = said.filter((words) => !/^(>|https:.*|.*portal:|Their note:|\$2,913\.75 down, then .*)?$/.test(words));
  assert.ok(kept.length > 20);
  for (const words of kept) assert.ok(shown.includes(words), words);
  assert.deepEqual(
    [...html.matchAll(/(?:href|src|action|background)="([^"]*)"/g)].map(([, to]) => to),
    [LINK],
  );
  assert.doesNotMatch(html, /url\(|@import|<img|<script|<form|<link/);
});

test('a phone shows who, how much and at which rate beside the subject', () => {
  for (const insuredName of [INTEREST.insuredName, 'W'.repeat(200), null]) {
    const { text, html } = renderInterestEmail({ ...INTEREST, insuredName }, PORTAL);
    const preview = text.slice(0, text.indexOf('\n'));
    assert.match(preview, / chose \$2,913\.75 down, then 9 × \$1,389\.57 a month, APR 16\.92%$/);
    assert.ok(preview.length <= 110, `${preview.length} characters`);
    assert.ok(
      visible(/<body.*/s.exec(html)?.[0] ?? '')
        .trimStart()
        .startsWith(preview),
    );
  }
});

test('every amount is the one of the event, in its own digits', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999_999 });
  const money = cents.map((amount) => (amount / 100).toFixed(2));
  const option = fc.record({
    optionId: fc.constant('opt_20_9'),
    downPaymentBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    termMonths: fc.integer({ min: 1, max: 12 }),
    aprBasisPoints: fc.integer({ min: 0, max: 9_999 }),
    downPayment: money,
    amountFinanced: money,
    monthlyPayment: money,
    financeCharge: money,
    totalOfPayments: money,
    totalCost: money,
  });
  fc.assert(
    fc.property(option, (chosen) => {
      const { subject, text, html } = renderInterestEmail({ ...INTEREST, option: chosen }, PORTAL);
      const { downPayment, amountFinanced, monthlyPayment, financeCharge, totalOfPayments, totalCost } = chosen;
      const amounts = [downPayment, amountFinanced, monthlyPayment, financeCharge, totalOfPayments, totalCost].sort();
      assert.deepEqual(amountsIn(subject), [monthlyPayment]);
      assert.deepEqual([...new Set(amountsIn(text))].sort(), [...new Set(amounts)]);
      assert.deepEqual([...new Set(amountsIn(visible(html)))].sort(), [...new Set(amounts)]);
      const apr = `${(chosen.aprBasisPoints / 100).toFixed(2)}%`;
      assert.ok(text.includes(`APR)  ${apr}`) && visible(html).includes(apr));
    }),
  );
});

describe('whatever others wrote', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '</title><style>',
      '<!--',
      ']]>',
      '&lt;',
    ),
    fc.constantFrom('" onload="alert(1)', "'", '`', 'javascript:alert(1)', 'https://evil.example', 'a@evil.example'),
    fc.constantFrom(
      '\r\nBcc: a@b.example',
      '\n',
      '\u2028',
      '\0',
      '\u202E',
      '\u2066',
      '\ud800',
      'שלום',
      '👩‍👩‍👧',
      '> ',
      'x'.repeat(200),
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const text = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `a${parts.join('')}`);
  const hostile = fc.record({
    insuredName: text,
    agencyName: text,
    brokerName: text,
    clientReferenceId: text,
    quoteId: text,
    note: text,
  });

  test('adds no element, no attribute and no link to the HTML', () => {
    const plain = tagsOf(renderInterestEmail({ ...INTEREST, note: 'one line' }, PORTAL).html, LINK);
    fc.assert(
      fc.property(hostile, (fields) => {
        const { html } = renderInterestEmail({ ...INTEREST, ...fields }, PORTAL);
        const link = `https://portal.example/quotes/${encodeURIComponent(fields.quoteId.toWellFormed())}`;
        const lineBreaks = (tags: readonly string[]) => tags.filter((tag) => tag !== '<br/>');
        assert.deepEqual(lineBreaks(tagsOf(html, link)), lineBreaks(plain));
      }),
      { numRuns: 300 },
    );
  });

  test('adds no line to the subject, and none to the text that could be ours', () => {
    const frame = linesOf(INTEREST);
    fc.assert(
      fc.property(hostile, (fields) => {
        const interest = { ...INTEREST, ...fields };
        const { subject } = renderInterestEmail(interest, PORTAL);
        assert.doesNotMatch(subject, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u);
        assert.ok(Array.from(subject).length <= 120);
        assert.equal(linesOf(interest), frame);
      }),
      { numRuns: 300 },
    );
  });
});

/** How many lines the text has beside those of the note. */
function linesOf(interest: Interest): number {
  const { text } = renderInterestEmail(interest, PORTAL);
  const [before = '', after = ''] = text.split('\nTheir note:\n\n');
  const ours = after.split('\n').filter((line) => !line.startsWith('>'));
  return before.split('\n').length + ours.length;
}

/** Every tag, with `link` made the same for all. */
function tagsOf(html: string, link: string): readonly string[] {
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(link, 'LINK'));
}

/** What a reader sees. */
function visible(html: string): string {
  const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return html
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&\w+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ');
}

/** As the API writes them. */
function amountsIn(words: string): readonly string[] {
  return [...words.matchAll(/\$([\d,]+\.\d\d)/g)].map(([, amount = '']) => amount.replaceAll(',', ''));
}
