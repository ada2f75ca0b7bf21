import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { findTool } from '../support/tools.ts';
import { readText } from '../tidy/sources.ts';
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
/** What is applied beside the chart. */
const BESIDE = ['cron-job.yaml', 'alert.yaml'];

type Verdict = { readonly kind: string; readonly name: string; readonly status: string; readonly msg: string };

describe('the chart as Kubernetes reads it', { skip: HELM.missing || KUBECONFORM.missing || WITHOUT_SCHEMAS }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-schemas-'));
  after(() => rmSync(folder, { recursive: true }));
  const schemasOf = writeSchemas({ from: SCHEMAS ?? '', folder });

  /** Whatever kubeconform finds wrong in objects; a kind of which there is no schema is wrong too. */
  async function faultsOf(text: string, kubernetes: string): Promise<readonly string[]> {
    const kinds: readonly Kind[] = parseAllDocuments(text).flatMap((document) => document.toJS() ?? []);
    assert.ok(kinds.length > 0);
    const options = ['-strict', '-output', 'json', '-verbose', '-kubernetes-version', kubernetes];
    const told = await KUBECONFORM.run([...options, '-schema-location', schemasOf(kubernetes, kinds), '-'], text).catch(
      outputOf,
    );
    const { resources }: { readonly resources: readonly Verdict[] } = JSON.parse(told);
    assert.equal(resources.length, kinds.length);
    const bad = resources.filter(({ status }) => status !== 'statusValid');
    return bad.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`);
  }

  for (const { shape, kubernetes } of CASES) {
    it(`${shape}: every object is what Kubernetes ${kubernetes} and its operators take, to the last member`, async () => {
      const values = kubernetes === '1.29.0' ? { shutdown: { preStopSeconds: 0 } } : {};
      assert.deepEqual(await faultsOf((await render({ shape, kubernetes, values })).text, kubernetes), []);
    });
  }

  for (const example of EXAMPLES) {
    const text = readExample(example);
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

  for (const name of BESIDE) {
    it(`deploy/backup/${name} is what Kubernetes and its operators take`, async () => {
      assert.deepEqual(await faultsOf(readText(`deploy/backup/${name}`), '1.34.0'), []);
    });
  }

  it('a member that does not exist, and a value that is none, are found in every kind of schema', async () => {
    const { text } = await render({ shape: 'production' });
    const wrong = [text, readExample('cloudnative-pg.yaml'), readExample('strimzi.yaml')]
      .join('\n---\n')
      .replace('revisionHistoryLimit: 5', 'revisionHistory: 5')
      .replace('clusterIP: None', 'clusterIP: 7')
      .replace('minReplicaCount: 3', 'minReplicas: 3')
      .replace('renewBefore: 720h', 'renewsBefore: 720h')
      .replace('topicName:', 'topic:')
      .replace('dataDurability: required', 'dataDurability: always')
      .replace('owner: gateway_owner', 'role: gateway_owner')
      .replace('roles: [controller, broker]', 'roles: [controller, brokers]')
      .replace('topicOperator:', 'topicsOperator:')
      .replace('name: pfq-kafka\n  labels:', 'name: pfq\n  label:');
    const faults = await faultsOf(wrong, '1.34.0');
    assert.deepEqual(faults.map((fault) => fault.split(' ')[0] ?? '').sort(), [
      'Certificate',
      'Cluster',
      'Database',
      'Deployment',
      'Kafka',
      'KafkaNodePool',
      'KafkaTopic',
      'KafkaUser',
      'ScaledObject',
      'Service',
    ]);
  });
});

function readExample(name: string): string {
  return readFileSync(path.join(CHART, 'examples', name), 'utf8');
}

/** What a command printed that then failed. */
function outputOf(error: unknown): string {
  if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string') return error.stdout;
  throw error;
}
