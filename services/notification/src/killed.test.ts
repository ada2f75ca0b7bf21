import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Event } from '@pfq/proto/common/v1/event_pb';
import { NotificationStatus } from '@pfq/proto/quotestore/v1/quote_store_pb';
import { until } from '../../../tests/support/until.ts';
import type { NotificationConfig } from './config.ts';
import { newEvent, newInterest, SECONDS } from './notification.test-support.ts';
import { AS_OPERATOR, bringForward, clientsOf, MAIL_FROM, openScene } from './running-notification.test-support.ts';

const { SENT, FAILED } = NotificationStatus;

describe('whatever happens to the process', { concurrency: true }, () => {
  it('an email whose sending had begun when it was killed is sent once', async (t) => {
    const { config, start, smtp, quoteStore } = await openScene(t);
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.after(() => silent.close());
    const connected = once(silent, 'connection');
    const { port } = silent.address() as AddressInfo;
    const killed = await startProcess(t, config({ smtpUrl: { ...config().smtpUrl, port } }));
    const event = newEvent();
    await killed.accept(event);
    await connected;
    killed.kill();
    await start();
    await quoteStore.untilTold(event, SENT);
    assert.equal(smtp.received.length, 1);
  });

  it('an email that the server had taken when it was killed before it knew comes twice as one message at most', async (t) => {
    const { config, start, smtp, quoteStore, mailsOf } = await openScene(t);
    smtp.behave({ message: 'hang' });
    const killed = await startProcess(t, config());
    const event = newEvent();
    await killed.accept(event);
    await until(() => smtp.received.length === 1, SECONDS);
    killed.kill();
    smtp.behave({});
    await start();
    await quoteStore.untilTold(event, SENT);
    const [first, second, ...others] = mailsOf(event).map(({ raw }) => raw);
    assert.ok(first && second && others.length === 0);
    assert.deepEqual(first, second);
  });

  it('an email that was sent when it was killed before its outcome was told is not sent again, and its outcome is told', async (t) => {
    const { config, start, smtp, quoteStore } = await openScene(t);
    quoteStore.behave('never');
    const killed = await startProcess(t, config());
    const event = newEvent();
    await killed.accept(event);
    await quoteStore.untilTold(event, SENT);
    killed.kill();
    quoteStore.behave('take');
    await start();
    await until(() => quoteStore.told.length > 1, SECONDS);
    assert.equal(smtp.received.length, 1);
    assert.deepEqual(new Set(quoteStore.told.map(({ revision }) => revision)), new Set([1]));
  });

  it('a stop cuts off a mail server that does not answer, and another process sends the email', async (t) => {
    const { start, smtp, quoteStore, open } = await openScene(t);
    smtp.behave({ message: 'hang' });
    const stopped = await start();
    const event = newEvent();
    await stopped.accept(event);
    await until(() => smtp.received.length === 1, SECONDS);
    const startedMs = performance.now();
    await stopped.stop();
    assert.ok(performance.now() - startedMs < 9_000);
    smtp.behave({});
    await start();
    await bringForward(open());
    await quoteStore.untilTold(event, SENT);
  });

  it('a stop before the email was handed over counts as no attempt, and another process sends it within seconds', async (t) => {
    const { start, smtp, quoteStore } = await openScene(t);
    smtp.behave({ replies: { MAIL: 'hang' } });
    const stopped = await start();
    const event = newEvent();
    await stopped.accept(event);
    // One of them is a look at how the server is.
    await until(() => smtp.connections() === 2, SECONDS);
    await stopped.stop();
    smtp.behave({});
    const { admin } = await start();
    const startedMs = performance.now();
    await quoteStore.untilTold(event, SENT);
    assert.ok(performance.now() - startedMs < 4_000, 'sooner than after an attempt that failed');
    assert.equal(smtp.received.length, 1);
    assert.equal((await admin.listEmails({}, AS_OPERATOR)).emails[0]?.attempts, 1);
  });

  it('every line about an email names its request, event and quote, and none names a person or repeats their words', async (t) => {
    const { config, smtp, quoteStore, open } = await openScene(t);
    const service = await startProcess(t, config());
    smtp.behave({ message: '451 4.3.0 <dana@broker.example> Later' });
    const interest = newInterest();
    const event = newEvent(interest);
    await service.accept(event);
    await until(() => service.lines.some(({ msg }) => msg === 'email not sent yet'), SECONDS);
    smtp.behave({ replies: { RCPT: '550 5.1.1 <dana@broker.example> No such mailbox' } });
    await bringForward(open());
    await quoteStore.untilTold(event, FAILED);
    smtp.behave({});
    await service.accept(event);
    const other = newEvent();
    await service.accept(other);
    await quoteStore.untilTold(other, SENT);
    const linesOf = ({ eventId }: Event) => service.lines.filter((line) => line['event_id'] === eventId);
    await until(() => linesOf(other).some(({ msg }) => msg === 'outcome recorded'), SECONDS);

    const ids = { request_id: event.requestId, event_id: event.eventId, quote_id: interest.quoteId };
    for (const line of linesOf(event)) assert.partialDeepStrictEqual(line, ids);
    assert.deepEqual(
      linesOf(event).map(({ msg }) => msg),
      [
        'event accepted',
        'mail server did not take the email',
        'email not sent yet',
        'mail server did not take the email',
        'email failed',
        'outcome recorded',
        'event known already',
      ],
    );
    assert.deepEqual(
      linesOf(other).map(({ msg }) => msg),
      ['event accepted', 'email sent', 'outcome recorded'],
    );
    assert.doesNotMatch(JSON.stringify(service.lines), /dana|reyes|lone star|hill country|please call/i);
  });
});

type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string };

/** The service as a process of its own, with its configuration; killed after the test at the latest. */
async function startProcess(t: TestContext, { smtpUrl, ...config }: NotificationConfig) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      DATABASE_URL: config.databaseUrl,
      MIGRATE_ON_START: 'true',
      LISTEN_HOST: config.listenHost,
      RPC_PORT: '0',
      OPERATIONS_PORT: '0',
      OPERATOR_TOKEN: config.operatorToken,
      SMTP_URL: `smtp://${smtpUrl.host}:${smtpUrl.port}`,
      SMTP_TLS: config.smtpTls,
      MAIL_FROM: `${MAIL_FROM.name} <${MAIL_FROM.address}>`,
      QUOTE_STORE_URL: config.quoteStoreUrl,
      PORTAL_URL: config.portalUrl,
    },
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: LogLine[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => void lines.push(JSON.parse(line)));
  const isListening = ({ msg }: LogLine) => msg === 'listening';
  await until(() => lines.some(isListening), SECONDS);
  const clients = clientsOf(Number(lines.find(isListening)?.['port']));
  t.after(() => clients.close());
  return { ...clients, lines, kill: () => void child.kill('SIGKILL') };
}
