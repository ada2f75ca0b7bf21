import type { TestContext } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { newId } from '@pfq/kit/ids';
import { migrateJobs } from '@pfq/kit/jobs';
import { createLogger } from '@pfq/kit/log';
import { migrate } from '@pfq/kit/migrate';
import type { Database } from '@pfq/kit/postgres';
import { EventSchema } from '@pfq/proto/common/v1/event_pb';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { Mode } from '@pfq/proto/common/v1/mode_pb';
import { InterestExpressedSchema } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import type { InterestExpressed } from '@pfq/proto/quotestore/v1/interest_expressed_pb';
import { makeDatabase } from '../../../tests/support/database.ts';
import { postgresEmailStore } from './storage/postgres.ts';
import type { EmailToSend, NewEmail } from './storage/store.ts';

export const logger = createLogger({ service: 'test', level: 'fatal', format: 'json' });
/** More than anything that is waited for takes, the jobs of a killed process included. */
export const SECONDS = 60_000;
export const MIGRATIONS = `${import.meta.dirname}/../migrations`;

export async function openEmails(t: TestContext) {
  const made = await makeDatabase(t);
  await migrate({ databaseUrl: made.url, dir: MIGRATIONS, logger });
  await migrateJobs(made.url, logger);
  const database = made.open();
  return { ...made, database, store: postgresEmailStore(database, made.url) };
}

export const AGENCY = newId('agy_', Date.now());

/** An email as it is when its event was just taken. */
export function newEmail(changes: Partial<NewEmail> = {}): NewEmail {
  return {
    agencyId: AGENCY,
    mode: 'live',
    eventId: newId('evt_', Date.now()),
    quoteId: newId('qte_', Date.now()),
    recipient: 'dana@broker.example',
    requestId: newId('req_', Date.now()),
    traceparent: null,
    submittedAt: new Date(),
    message: Buffer.from('Subject: one\r\n\r\ntext\r\n'),
    ...changes,
  };
}

/** An interest as quote-store tells of it. */
export function newInterest(change: (interest: InterestExpressed) => void = () => {}): InterestExpressed {
  const interest = create(InterestExpressedSchema, {
    agencyId: AGENCY,
    mode: Mode.LIVE,
    quoteId: newId('qte_', Date.now()),
    clientReferenceId: 'ams-48213',
    parties: {
      insuredName: 'Lone Star Roofing LLC',
      agencyName: 'Hill Country Insurance',
      brokerName: 'Dana Reyes',
      brokerEmail: 'dana@broker.example',
    },
    option: OPTION,
    note: 'Please call after five.',
    submittedAt: timestampFromDate(new Date('2026-12-01T12:00:00.123Z')),
  });
  change(interest);
  return interest;
}

export const OPTION = {
  optionId: 'opt_25_10',
  downPaymentBasisPoints: 1_965,
  termMonths: 9,
  aprBasisPoints: 1_692,
  downPayment: '12272.38',
  amountFinanced: '50182.50',
  monthlyPayment: '5978.01',
  financeCharge: '3619.59',
  totalOfPayments: '53802.09',
  totalCost: '66074.47',
};

export function newEvent(interest: InterestExpressed = newInterest(), changes: Partial<Event> = {}): Event {
  const event = create(EventSchema, {
    eventId: newId('evt_', Date.now()),
    type: 'pfq.quote.interest-expressed.v1',
    schemaVersion: 1,
    occurredAt: timestampFromDate(new Date('2026-12-01T12:00:00.123Z')),
    requestId: newId('req_', Date.now()),
    payload: toBinary(InterestExpressedSchema, interest),
  });
  return { ...event, ...changes };
}

/** The email as `whileSending` gives it, or null where there is nothing to send. */
export async function readForSending(
  store: ReturnType<typeof postgresEmailStore>,
  email: NewEmail,
): Promise<EmailToSend | null> {
  let given: EmailToSend | null = null;
  await store.whileSending(email, async (read) => void (given = read));
  return given;
}

/** Tasks of the jobs that wait, in order. */
export async function jobsOf(database: Database): Promise<readonly string[]> {
  const sql = 'SELECT task_identifier AS task FROM graphile_worker.jobs ORDER BY task_identifier';
  return (await database.read<{ task: string }>(sql, [])).map(({ task }) => task);
}
