import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { processSettings } from './service-settings.ts';
import { JOBS_STOP_MS, LONGEST_STOP_MS, STOP_MS } from './stop-times.ts';

test('the longest stop fits into the time that it has unless told otherwise', () => {
  const { shutdownDelayMs, shutdownTimeoutMs } = readConfig(processSettings, {});
  assert.ok(shutdownDelayMs + LONGEST_STOP_MS < shutdownTimeoutMs);
  assert.ok(JOBS_STOP_MS < STOP_MS.underWay);
});
