import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { findTool } from '../support/tools.ts';
import { HELM, PROFILES, render } from './render.ts';

const KUBE_SCORE = findTool('kube-score', process.env);
const { ignored }: { readonly ignored: Readonly<Record<string, string>> } = parse(
  readFileSync(path.join(import.meta.dirname, 'kube-score.yaml'), 'utf8'),
);
const IGNORED = Object.keys(ignored);
/** A limit on CPU is asked for by the check that asks for all other requests and limits. */
const WITHOUT_CPU_LIMIT = '--ignore-container-cpu-limit';

describe('the chart as kube-score judges it', { skip: HELM.missing || KUBE_SCORE.missing }, () => {
  let optional: readonly string[] = [];
  before(async () => {
    const list = await KUBE_SCORE.run(['list']);
    optional = list.split('\n').flatMap((line) => (line.endsWith(',optional') ? [line.split(',')[0] ?? ''] : []));
  });

  /** What it finds fault with, looking for everything but what is ignored. */
  async function faultsOf(
    text: string,
    { without, more = [] }: { without: readonly string[]; more?: readonly string[] },
  ) {
    const enabled = optional.filter((check) => !without.includes(check));
    const skipped = without.filter((check) => !optional.includes(check));
    const options = ['--kubernetes-version', 'v1.34', '--output-format', 'ci', ...more];
    options.push(...enabled.map((check) => `--enable-optional-test=${check}`));
    options.push(...skipped.map((check) => `--ignore-test=${check}`));
    const told = await KUBE_SCORE.run(['score', ...options, '-'], text).catch(
      (error: { stdout: string }) => error.stdout,
    );
    const lines = told.split('\n');
    assert.ok(lines.some((line) => line.startsWith('[OK]')));
    return lines.filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line));
  }

  for (const shape of PROFILES) {
    it(`${shape}: it finds no fault, but for what is left out with a reason`, async () => {
      const { text } = await render({ shape });
      const few = shape === 'minimal' ? ['--min-replicas-deployment', '1'] : [];
      assert.deepEqual(await faultsOf(text, { without: IGNORED, more: [WITHOUT_CPU_LIMIT, ...few] }), []);
    });
  }

  for (const [check, reason] of Object.entries(ignored)) {
    it(`what is left out would be found: ${check}, because ${reason}`, async () => {
      const { text } = await render({ shape: 'production' });
      const without = IGNORED.filter((other) => other !== check);
      assert.ok((await faultsOf(text, { without, more: [WITHOUT_CPU_LIMIT] })).length > 0);
    });
  }
});
