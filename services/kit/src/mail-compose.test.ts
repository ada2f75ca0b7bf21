import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { composeMail } from './mail.ts';
import type { Letter } from './mail.ts';
import { oneLine } from './mail-text.ts';

const LETTER: Letter = {
  from: { name: 'Quotes', address: 'quotes@agency.example' },
  to: { name: 'Dana Reyes', address: 'dana@broker.example' },
  subject: 'An insured is interested',
  text: 'Hello Dana,\n\nsee below.',
  html: '<p>Hello Dana</p>',
  messageId: '<evt_0Uz3kQ9aXabcdefghijklm@agency.example>',
  date: new Date('2026-11-21T20:07:25Z'),
};
const FIELDS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress',
];

test('a letter has exactly its header fields and two readable parts', async () => {
  const mail = await PostalMime.parse(await composeMail(LETTER));
  assert.deepEqual(mail.headers.map(({ key }) => key).sort(), FIELDS);
  const { from, to, subject, messageId, date } = mail;
  assert.deepEqual(
    { from, to, subject, messageId, date, text: partOf(mail.text), html: partOf(mail.html) },
    {
      from: LETTER.from,
      to: [LETTER.to],
      subject: LETTER.subject,
      messageId: LETTER.messageId,
      date: '2026-11-21T20:07:25.000Z',
      text: LETTER.text,
      html: LETTER.html,
    },
  );
  const valueOf = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  assert.equal(valueOf('auto-submitted'), 'auto-generated');
  assert.equal(valueOf('x-auto-response-suppress'), 'All');
  assert.deepEqual(mail.attachments, []);
});

test('the same letter gives the same bytes, and another one another boundary', async () => {
  assert.deepEqual(await composeMail(LETTER), await composeMail({ ...LETTER }));
  const boundaryOf = (bytes: Uint8Array) => /boundary="([^"]+)"/.exec(Buffer.from(bytes).toString())?.[1];
  const other = await composeMail({ ...LETTER, messageId: '<evt_2@agency.example>' });
  assert.notEqual(boundaryOf(other), boundaryOf(await composeMail(LETTER)));
});

/** What people, and those who mean harm, might put where a name or a note belongs. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom('\r\n', '\n', '\r', '\0', '\t', '\u2028', '\u0085', '\u202e', '\u2066', '\ufeff', '\ud800'),
    fc.constantFrom(
      '\r\nBcc: a@b.example',
      '\r\n\r\n<script>',
      '"',
      "'",
      '<',
      '>',
      '<a@b.example>',
      ',',
      ';',
      ':',
      '\\',
    ),
    fc.constantFrom('=?utf-8?B?Qmxh?=', '=?', '?=', '=_pfq', '--=_pfq', '\r\n.\r\n', '.', ' ', '  ', '@', '(', ')'),
    fc.constantFrom('👩‍👩‍👧', 'Zürich', 'مكتب', 'שלום', '株式会社', 'é', 'x'.repeat(200), '名'.repeat(70)),
    fc.string({ unit: 'binary', maxLength: 20 }),
  ),
  { maxLength: 12 },
);
const text = hostile.map((parts) => parts.join(''));

test('whatever stands in its texts, a mail keeps its header fields, its one recipient and its line length', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (name, subject, body, html) => {
      const letter = {
        ...LETTER,
        from: { ...LETTER.from, name },
        to: { ...LETTER.to, name },
        subject,
        text: `.${body}`,
        html: `.${html}`,
      };
      const bytes = Buffer.from(await composeMail(letter));
      const mail = await PostalMime.parse(bytes);
      const expected = FIELDS.filter((field) => field !== 'subject' || oneLine(subject, 250) !== '');
      assert.deepEqual(mail.headers.map(({ key }) => key).sort(), expected);
      assert.deepEqual(mail.to, [{ name: mail.from?.name ?? '', address: LETTER.to.address }]);
      assert.equal(mail.from?.address, LETTER.from.address);
      assert.equal(mail.messageId, LETTER.messageId);
      assert.ok(
        bytes
          .toString('latin1')
          .split('\r\n')
          .every((line) => line.length <= 998 && !/[\r\n]/.test(line)),
      );
      assert.match(bytes.toString('latin1'), /^[\r\n\t -~]*$/);
    }),
    { numRuns: 300 },
  );
});

test('names and subjects arrive as one line of what was written', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (name, subject) => {
      // A reader decodes what looks like an encoded word; such texts may arrive decoded.
      fc.pre(!/=\?|\?=/.test(name + subject));
      const mail = await PostalMime.parse(await composeMail({ ...LETTER, to: { ...LETTER.to, name }, subject }));
      assert.equal(mail.subject ?? '', oneLine(subject, 250));
      assert.equal(mail.to?.[0]?.name, oneLine(name, 250));
    }),
    { numRuns: 300 },
  );
});

test('both parts arrive as they were written, but for how their lines end', async () => {
  const toLines = (written: string) => written.toWellFormed().replace(/\r\n?/g, '\n');
  await fc.assert(
    fc.asyncProperty(text, text, async (body, html) => {
      const mail = await PostalMime.parse(await composeMail({ ...LETTER, text: `.${body}`, html: `.${html}` }));
      assert.equal(toLines(partOf(mail.text)), toLines(`.${body}`));
      assert.equal(toLines(partOf(mail.html)), toLines(`.${html}`));
    }),
    { numRuns: 300 },
  );
});

test('what is no single address, or no message id, is never written into a mail', async () => {
  const to = { name: null, address: 'a@b.example, c@d.example' };
  await assert.rejects(composeMail({ ...LETTER, to }), /not one email address/);
  await assert.rejects(composeMail({ ...LETTER, messageId: '<a@b>\r\nBcc: c@d.example' }), /not a message id/);
});

/** As it was sent: the parser ends every part with a line end of its own. */
function partOf(parsed = ''): string {
  assert.ok(parsed.endsWith('\n'));
  return parsed.slice(0, -1);
}
