import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** Runs a few lines with `createLogger` at hand, and gives the lines that came out of the process. */
function logsOf(code: string): string[] {
  const kit = JSON.stringify(new URL('./', import.meta.url).href);
  const script = `const { createLogger } = await import(${kit} + 'log.ts');
    const { unavailable } = await import(${kit} + 'errors.ts');\n${code}`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return output.trimEnd().split('\n');
}

test('a log line is one JSON object with level, UTC time, service, message and fields', () => {
  const lines = logsOf(`
    const logger = createLogger({ service: 'pricing', level: 'info', format: 'json' });
    logger.info({ request_id: 'req_1' }, 'two\\nlines');`);
  assert.equal(lines.length, 1);
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, { level: 'info', service: 'pricing', request_id: 'req_1', msg: 'two\nlines' });
});

test('lines below the level are not written', () => {
  const lines = logsOf(`
    const logger = createLogger({ service: 'pricing', level: 'warn', format: 'json' });
    logger.info('quiet');
    logger.warn('loud');`);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['loud'],
  );
});

test('an error is logged with its code and all its causes', () => {
  const [line] = logsOf(`
    const logger = createLogger({ service: 'pricing', level: 'info', format: 'json' });
    const root = new Error('the disk is full');
    logger.error({ err: unavailable(new Error('the query failed', { cause: root })) }, 'call failed');`);
  const { err } = JSON.parse(line ?? '');
  assert.equal(err.code, 'SERVICE_UNAVAILABLE');
  assert.match(err.stack, /was stored[^]*caused by: Error: the query failed[^]*caused by: Error: the disk is full/);
});

test('the row values that PostgreSQL tells with an error are not logged', () => {
  const [line = ''] = logsOf(`
    const logger = createLogger({ service: 'gateway', level: 'info', format: 'json' });
    const refusal = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(eve@x.example)' });
    logger.error({ err: refusal }, 'call failed');`);
  assert.equal(JSON.parse(line).err.code, '23505');
  assert.ok(!line.includes('eve@x.example'));
});

test('neither metadata nor schemas of an RPC that failed are logged', () => {
  const [line = ''] = logsOf(`
    const { Code, ConnectError } = await import('@connectrpc/connect');
    const { ErrorDetailSchema } = await import('@pfq/proto/common/v1/error_pb');
    const logger = createLogger({ service: 'quote-store', level: 'info', format: 'json' });
    const details = [{ desc: ErrorDetailSchema, value: { code: 'INTERNAL' } }];
    const refusal = new ConnectError('the call failed', Code.Internal, { authorization: 'Bearer secret' }, details);
    logger.warn({ err: refusal }, 'a job failed');`);
  assert.match(JSON.parse(line).err.message, /the call failed/);
  assert.ok(!line.includes('secret') && line.length < 4_000, line);
});

test('the pretty format is a line for people, written before the process ends', () => {
  const lines = logsOf(`
    const logger = createLogger({ service: 'pricing', level: 'info', format: 'pretty' });
    logger.info({ port: 9090 }, 'listening');
    process.exit(0);`);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: listening \{"port":9090\}$/);
});
