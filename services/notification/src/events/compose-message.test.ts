import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { newEvent, newInterest } from '../notification.test-support.ts';
import { composeMessages } from './compose-message.ts';
import { readInterestEvent } from './read-event.ts';

const compose = composeMessages({
  from: { name: 'Quotes', address: 'quotes@agency.example' },
  portalUrl: 'https://portal.example',
});

test('the message of an event is known by its id, dated as the response, and the same however often it is written', async () => {
  const event = newEvent();
  const first = Buffer.from(await compose(readInterestEvent(event)));
  const [head = ''] = first.toString().split('\r\n\r\n');
  assert.match(head, new RegExp(`^Message-ID: <${event.eventId}@agency\\.example>$`, 'im'));
  assert.match(head, /^Date: Tue, 01 Dec 2026 12:00:00 \+0000$/m);
  assert.match(head, /^To: Dana Reyes <dana@broker\.example>$/m);
  assert.deepEqual(Buffer.from(await compose(readInterestEvent(event))), first);
});

test('there is a message for every event that can be read, so that none holds up those behind it', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 600 });
  const number = fc.integer({ min: 1, max: 2 ** 32 - 1 });
  const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  const property = fc.asyncProperty(text, fc.option(text), number, instant, async (words, note, figure, at) => {
    const interest = newInterest((made) => {
      Object.assign(made.parties ?? {}, { insuredName: words, agencyName: words, brokerName: words });
      Object.assign(made.option ?? {}, {
        optionId: `o${words}`,
        termMonths: figure,
        aprBasisPoints: figure,
        downPaymentBasisPoints: figure,
      });
      made.clientReferenceId = words;
      if (note === null) delete made.note;
      else made.note = note;
      made.submittedAt = timestampFromDate(at);
    });
    await compose(readInterestEvent(newEvent(interest)));
  });
  await fc.assert(property, { numRuns: 300 });
});
