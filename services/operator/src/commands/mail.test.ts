import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EmailSchema } from '@pfq/proto/notification/v1/notification_pb';
import type { Email } from '@pfq/proto/notification/v1/notification_pb';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import assert from 'node:assert/strict';
import test from 'node:test';
import { usePfq } from '../testing/use-pfq.ts';

const AGENCY = 'agy_0000000000000000000001';
const QUOTE = 'qte_0000000000000000000001';
const REQUEST = 'req_0000000000000000000001';
const RECIPIENT = 'ana@lonestar.example';
const CREATED_AT = '2026-11-20T09:30:00.000Z';
const STATUS_AT = '2026-11-20T09:30:02.000Z';
const NEXT_AT = '2026-11-20T09:31:00.000Z';

const { fake, pfq } = usePfq();

async function pfqJson(...args: string[]): Promise<unknown> {
  const { exitCode, output, errors } = await pfq(...args, '--json');
  assert.deepEqual({ exitCode, errors }, { exitCode: 0, errors: '' });
  return JSON.parse(output);
}

function layDown(number: number, changes: Partial<Email>): void {
  const email = {
    eventId: idOf(number),
    agencyId: AGENCY,
    quoteId: QUOTE,
    recipient: RECIPIENT,
    status: NotificationStatus.SENT,
    attempts: 1,
    createdAt: at(CREATED_AT),
    statusAt: at(STATUS_AT),
    requestId: REQUEST,
    ...changes,
  };
  fake().state.emails.push(create(EmailSchema, email));
}

function idOf(number: number): string {
  return `evt_${String(number).padStart(22, '0')}`;
}

function at(time: string) {
  return timestampFromDate(new Date(time));
}

/** As `--json` prints the email of that number. */
function shown(number: number, changes: object): object {
  return {
    id: idOf(number),
    agency_id: AGENCY,
    quote_id: QUOTE,
    recipient: RECIPIENT,
    status: 'sent',
    reason: null,
    last_error: null,
    attempts: 1,
    created_at: CREATED_AT,
    status_at: STATUS_AT,
    next_attempt_at: null,
    request_id: REQUEST,
    ...changes,
  };
}

const FAILED = { status: NotificationStatus.FAILED, reason: 'mailbox_rejected', lastError: '550 No such user' };
const SHOWN_FAILED = { status: 'failed', reason: 'mailbox_rejected', last_error: '550 No such user' };

test('emails are listed with all that is known of them, those given up alone where that is asked', async () => {
  layDown(3, { status: NotificationStatus.PENDING, lastError: '451 Later', nextAttemptAt: at(NEXT_AT) });
  layDown(2, FAILED);
  layDown(1, {});
  assert.deepEqual(await pfqJson('mail', 'list'), {
    object: 'list',
    data: [
      shown(3, { status: 'pending', last_error: '451 Later', next_attempt_at: NEXT_AT }),
      shown(2, SHOWN_FAILED),
      shown(1, {}),
    ],
    has_more: false,
  });
  const failed = await pfqJson('mail', 'list', '--failed');
  assert.deepEqual(failed, { object: 'list', data: [shown(2, SHOWN_FAILED)], has_more: false });
});

test('of many emails a hundred are listed, or as many as are asked for, and it is said that there are more', async () => {
  for (let number = 101; number >= 1; number -= 1) layDown(number, {});
  assert.partialDeepStrictEqual(await pfqJson('mail', 'list', '--limit', '1'), {
    data: [shown(101, {})],
    has_more: true,
  });
  assert.partialDeepStrictEqual(await pfqJson('mail', 'list', '--limit', '101'), { has_more: false });
  const { output } = await pfq('mail', 'list');
  assert.equal(output.match(/^evt_/gm)?.length, 100);
  assert.match(output, /\n\nThere are more: ask for them with --limit\.\n$/);
});

test('people see the status, the reason and what the mail server said, or that there is nothing', async () => {
  assert.equal((await pfq('mail', 'list')).output, 'None.\n');
  layDown(1, FAILED);
  const { output } = await pfq('mail', 'list', '--failed');
  assert.match(output, /^evt_\d+ +failed +mailbox_rejected +ana@lonestar\.example +qte_\d+ .* 550 No such user$/m);
});

test('an email that was given up is on its way again, and one that was sent stays as it is', async () => {
  layDown(2, FAILED);
  layDown(1, {});
  assert.deepEqual(await pfqJson('mail', 'retry', idOf(2)), shown(2, { ...SHOWN_FAILED, status: 'pending' }));
  assert.match((await pfq('mail', 'retry', idOf(2))).output, /\nIt is on its way\.\n$/);
  assert.deepEqual(await pfqJson('mail', 'retry', idOf(1)), shown(1, {}));
  assert.match((await pfq('mail', 'retry', idOf(1))).output, /\nIt was sent before: nothing is sent again\.\n$/);
});

test('an email that there is not is one line and exit 1', async () => {
  const { exitCode, output, errors } = await pfq('mail', 'retry', idOf(9));
  assert.deepEqual([exitCode, output], [1, '']);
  assert.match(errors, /^pfq: There is no such thing\. \(request req_\w+\)\n$/);
});
