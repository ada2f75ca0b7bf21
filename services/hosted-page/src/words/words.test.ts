import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { en } from './en.ts';
import { es } from './es.ts';
import { sentencesFor } from './words.ts';

/** The same in both languages: names of the trade, and marks. */
const SHARED = new Set(['APR', 'Total']);

/** What pricing may say of a deal, by the codes of the public API. */
const REASONS = [
  ['INSURED_STATE', 'PREMIUM_MIN', 'PREMIUM_MAX', 'AM_BEST_MIN', 'ISSUER', 'COVERAGE'],
  ['POLICY_BACKDATE', 'DATE_UNIFORMITY', 'POLICY_TERM', 'MINIMUM_EARNED_MAX'],
].flat();
const REMARKS = [
  ['TAXES_AND_FEES_NOT_PROVIDED', 'EARNED_ASSUMED', 'AUDITABLE_ASSUMED', 'AM_BEST_UNVERIFIED'],
  ['MINIMUM_EARNED_CONVERTED', 'VERIFY_MINIMUM_EARNED'],
].flat();

describe('words', () => {
  test('are never empty, and never left in English', () => {
    const [english, spanish] = [leavesOf(en), leavesOf(es)];
    assert.deepEqual([...english.keys()], [...spanish.keys()]);
    for (const [name, text] of english) {
      assert.ok(text !== '' && spanish.get(name) !== '', name);
      assert.ok(SHARED.has(text) || spanish.get(name) !== text, `${name} is "${text}" in both`);
    }
  });

  test('with a number have a form for one and a form for more', () => {
    for (const { payments, option, quote, chart, notices } of [en, es]) {
      for (const say of [payments, quote.compare, chart.line, notices.tooMany.text]) {
        assert.doesNotMatch(say(1), /payments|options|minutes|pagos|opciones|minutos/);
        assert.match(say(2), /2/);
      }
      assert.match(option({ share: '25%', count: 1 }), /25%.*1 (?:monthly payment|pago mensual)$/);
    }
  });

  test('leave out of a confirmation whoever is not known', () => {
    for (const { review } of [en, es]) {
      const parts = review.confirm({ broker: 'rosa@hill-country.example', agency: null, insured: null });
      const sentence = parts.map((part) => (typeof part === 'string' ? part : part.name)).join('');
      assert.match(sentence, /rosa@hill-country\.example/);
      assert.doesNotMatch(sentence, /null|undefined| {2}/);
    }
  });
});

describe('public codes', () => {
  test('have a sentence of their own, each', () => {
    for (const { ineligible, remarks } of [en, es]) {
      const { heading: _, lead: __, ...sentences } = remarks;
      for (const [codes, all] of [
        [REASONS, ineligible.reasons],
        [REMARKS, sentences],
      ] as const) {
        const found = sentencesFor(codes, all);
        assert.equal(found.length, codes.length);
        assert.ok(!found.includes(all.other));
      }
    }
  });

  test('that came later share one sentence, told once, whatever they are called', () => {
    const codes = ['NEW', 'NEWER', 'constructor', '__proto__', 'ISSUER', 'ISSUER'];
    assert.deepEqual(sentencesFor(codes, en.ineligible.reasons), [
      en.ineligible.reasons.other,
      en.ineligible.reasons.ISSUER,
    ]);
  });
});

describe('dates', () => {
  test('are told by the clock of Texas, with its name', () => {
    const winter = new Date('2026-12-20T05:30:00Z');
    const summer = new Date('2026-07-01T04:59:00Z');
    assert.equal(plain(en.dates.moment(winter)), 'December 19, 2026 at 11:30 PM Central Time');
    assert.equal(plain(en.dates.moment(summer)), 'June 30, 2026 at 11:59 PM Central Time');
    assert.match(plain(es.dates.moment(winter)), /^19 de diciembre de 2026 a las 11:30 p\. ?m\. hora central$/);
  });

  test('without a time stay the day that they are', () => {
    assert.equal(en.dates.day('2026-12-01'), 'December 1, 2026');
    assert.equal(es.dates.day('2026-12-01'), '1 de diciembre de 2026');
  });
});

function plain(text: string): string {
  return text.replaceAll('\u00A0', ' ');
}

/** Every text by its place; what is said by a function is left to the tests above. */
function leavesOf(words: object, place = ''): ReadonlyMap<string, string> {
  const leaves = new Map<string, string>();
  for (const [name, value] of Object.entries(words)) {
    if (name === 'dates' || typeof value === 'function') continue;
    if (typeof value === 'string') leaves.set(`${place}${name}`, value);
    else for (const [below, text] of leavesOf(value, `${place}${name}.`)) leaves.set(below, text);
  }
  return leaves;
}
