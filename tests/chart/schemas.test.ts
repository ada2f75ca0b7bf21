import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { findTool } from '../support/tools.ts';
import { writeSchemas, type Kind } from './json-schemas.ts';
import { CHART, EVERY_SHAPE, HELM, render } from './render.ts';

const KUBECONFORM = findTool('kubeconform', process.env);
const { CHART_SCHEMAS: SCHEMAS } = process.env;
const WITHOUT_SCHEMAS = SCHEMAS === undefined && 'CHART_SCHEMAS names no folder that .ci/chart-tools has filled';

/** Every shape on the newest release, and those with most in them on older ones too. */
const CASES = [
  ...EVERY_SHAPE.map((shape) => ({ shape, kubernetes: '1.37.0' })),
  ...['production', 'everything'].flatMap((shape) => ['1.34.0', '1.29.0'].map((kubernetes) => ({ shape, kubernetes }))),
];
const EXAMPLES = globSync('*.yaml', { cwd: path.join(CHART, 'examples') }).sort();
/** Kinds whose schemas no registry has, and what is done instead. */
const NOT_TO_BE_HAD: Readonly<Record<string, string>> = {
  KafkaTopic:
    'the definitions of Strimzi are in no module or package; tests/chart/copies.ts compares names and settings of topics',
  Kafka: 'the same; unproved',
  KafkaNodePool: 'the same; unproved',
  KafkaUser: 'the same; unproved',
  Cluster: 'the definitions of CloudNativePG could be had from no module or package; unproved',
  Database: 'the same; unproved',
};

type Verdict = { readonly kind: string; readonly name: string; readonly status: string; readonly msg: string };

describe('the chart as Kubernetes reads it', { skip: HELM.missing || KUBECONFORM.missing || WITHOUT_SCHEMAS }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-schemas-'));
  after(() => rmSync(folder, { recursive: true }));
  const schemasOf = writeSchemas({ from: SCHEMAS ?? '', folder });

  /** Whatever kubeconform finds wrong in objects. Those whose schemas cannot be had are left out. */
  async function faultsOf(text: string, kubernetes: string): Promise<readonly string[]> {
    const kinds: readonly Kind[] = parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
    assert.ok(kinds.length > 0);
    const skipped = ['-skip', Object.keys(NOT_TO_BE_HAD).join()];
    const options = ['-strict', '-output', 'json', '-verbose', '-kubernetes-version', kubernetes, ...skipped];
    const told = await KUBECONFORM.run([...options, '-schema-location', schemasOf(kubernetes, kinds), '-'], text).catch(
      outputOf,
    );
    const { resources }: { readonly resources: readonly Verdict[] } = JSON.parse(told);
    assert.equal(resources.length, kinds.length);
    const skippedKinds = resources.filter(({ status }) => status === 'statusSkipped').map(({ kind }) => kind);
    assert.ok(
      skippedKinds.every((kind) => kind in NOT_TO_BE_HAD),
      skippedKinds.join(),
    );
    const bad = resources.filter(({ status }) => !['statusValid', 'statusSkipped'].includes(status));
    return bad.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
  }

  for (const { shape, kubernetes } of CASES) {
    it(`${shape}: every object is what Kubernetes ${kubernetes} and its operators take, to the last member`, async () => {
      const values = kubernetes === '1.29.0' ? { shutdown: { preStopSeconds: 0 } } : {};
      assert.deepEqual(await faultsOf((await render({ shape, kubernetes, values })).text, kubernetes), []);
    });
  }

  for (const example of EXAMPLES) {
    const text = readFileSync(path.join(CHART, 'examples', example), 'utf8');
    if (!example.endsWith('.values.yaml')) {
      it(`the example ${example} is what operators take`, async () => {
        assert.deepEqual(await faultsOf(text, '1.34.0'), []);
      });
      continue;
    }
    it(`the example ${example} is what the chart takes`, async () => {
      assert.deepEqual(await faultsOf((await render({ values: parse(text) })).text, '1.34.0'), []);
    });
  }

  it('a member that does not exist, and a value that is none, are found in every kind of schema', async () => {
    const { text } = await render({ shape: 'production' });
    const wrong = text
      .replace('revisionHistoryLimit: 5', 'revisionHistory: 5')
      .replace('clusterIP: None', 'clusterIP: 7')
      .replace('minReplicaCount: 3', 'minReplicas: 3')
      .replace('renewBefore: 720h', 'renewsBefore: 720h');
    const faults = await faultsOf(wrong, '1.34.0');
    assert.deepEqual(faults.map((fault) => fault.split(' ')[0] ?? '').sort(), [
      'Certificate',
      'Deployment',
      'ScaledObject',
      'Service',
    ]);
  });
});

/** What a command printed that then failed. */
function outputOf(error: unknown): string {
  if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string') return error.stdout;
  throw error;
}
