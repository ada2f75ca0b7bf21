import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** Runs a few lines with `createLogger` at hand, and gives the lines that came out of the process. */
function logsOf(code: string): string[] {
  const kit = JSON.stringify(new URL('./', import.meta.url).href);
  const script = `const kit = ${kit}; const { createLogger } = await import(kit + 'log.ts');\n${code}`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return output.trimEnd().split('\n');
}

test('a log line is one JSON object with level, UTC time, service, message and fields; none below the level is written', () => {
  const lines = logsOf(`
    const logger = createLogger({ service: 'pricing', level: 'info', format: 'json' });
    logger.debug('quiet');
    logger.info({ request_id: 'req_1' }, 'two\\nlines');`);
  assert.equal(lines.length, 1);
  const { time, ...rest } = JSON.parse(lines[0] ?? '');
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, { level: 'info', service: 'pricing', request_id: 'req_1', msg: 'two\nlines' });
});

test('errors and reasons are redacted', () => {
  const lines = logsOf(`
    const logger = createLogger({ service: 'notification', level: 'info', format: 'json' });
    logger.error({ err: new Error('sending failed', { cause: new Error('RCPT TO:<canary@x.example>') }) }, 'a job failed');
    logger.warn({ reason: 'connect to smtp://u:canary@mail.example' }, 'away');
    logger.warn({ err: 'canary@x.example' }, 'thrown');`);
  assert.match(JSON.parse(lines[0] ?? '').err.stack, /^Error: sending failed[^]*caused by: Error: RCPT TO/);
  assert.match(lines[1] ?? '', /connect to smtp:/);
  assert.equal(lines.length, 3);
  for (const line of lines) assert.ok(!line.includes('canary'), line);
});

test('a line inside a trace carries its ids, though the trace is not sampled', () => {
  const lines = logsOf(`
    const { startTelemetry } = await import(kit + 'telemetry/start.ts');
    const { inSpan, SpanKind } = await import(kit + 'telemetry/spans.ts');
    const logger = createLogger({ service: 'pricing', level: 'info', format: 'json' });
    const config = { telemetryDisabled: false, otlpEndpoint: null, otlpHeaders: null, traceSampleRatio: 1 };
    const telemetry = startTelemetry({ service: 'pricing', config, logger });
    logger.info('outside');
    const parent = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' };
    await inSpan('work', { kind: SpanKind.SERVER, parent }, async () => logger.info('inside'));
    await telemetry.stop();`);
  const [outside, inside] = lines.map((line) => JSON.parse(line));
  assert.equal(outside.trace_id, undefined);
  assert.equal(inside.trace_id, '4bf92f3577b34da6a3ce929d0e0e4736');
  assert.match(inside.span_id, /^[0-9a-f]{16}$/);
});

test('the pretty format is a line for people, written before the process ends', () => {
  const lines = logsOf(`
    const logger = createLogger({ service: 'pricing', level: 'info', format: 'pretty' });
    logger.info({ port: 9090 }, 'listening');
    process.exit(0);`);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening {2}port=9090$/);
});
