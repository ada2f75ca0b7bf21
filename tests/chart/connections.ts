import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readText } from '../tidy/sources.ts';
import { render, type Rendered } from './render.ts';
import { WITH_A_DATABASE } from './services.ts';
import { variablesOf } from './told.ts';

/** What a pod opens beside its pool: the table before the one of sums in docs/guide/scale.md tells for what. */
const BESIDE_THE_POOL: Readonly<Record<string, number>> = {
  gateway: 1,
  pricing: 1,
  application: 1,
  'quote-store': 9,
  notification: 21,
};
const FOR_MIGRATIONS = 10;
const GUIDE = 'docs/guide/scale.md';

/** Connections of a PostgreSQL that serves all databases, as the guide tells whoever sets one up. */
export function connections(): void {
  const rows = [
    { row: 'one, pools of 5 (profile `minimal`)', shape: 'minimal', pods: fewest },
    { row: 'two, as the chart has it', shape: undefined, pods: fewest },
    {
      row: 'three, pools of 5 (profile `production`, applications in MongoDB)',
      shape: 'production',
      pods: fewest,
    },
    {
      row: 'the most that the profile `production` scales to: 12, 8, 8 and 4',
      shape: 'production',
      pods: most,
    },
  ] as const;
  for (const { row, shape, pods } of rows) {
    it(`${row}: as many connections as the guide says`, async () => {
      const rendered = await render({ ...(shape && { shape }) });
      const [running, upgraded, enough] = figuresOf(row);
      assert.equal(
        running,
        sum(rendered, (service) => pods(rendered, service)),
      );
      const whileUpgraded = sum(rendered, (service) => whileRolling(pods(rendered, service)));
      assert.equal(upgraded, whileUpgraded + FOR_MIGRATIONS);
      assert.ok(Number(enough) > whileUpgraded + FOR_MIGRATIONS + 3);
    });
  }
}

function sum(rendered: Rendered, podsOf: (service: string) => number): number {
  const inPostgres = WITH_A_DATABASE.filter((service) => !(service === 'application' && isInMongo(rendered)));
  return inPostgres.reduce((total, service) => {
    const pod = rendered.pods.find(({ component }) => component === service);
    assert.ok(pod !== undefined);
    const pool = Number(variablesOf(rendered, pod)['DATABASE_POOL_SIZE']);
    return total + podsOf(service) * (pool + (BESIDE_THE_POOL[service] ?? 0));
  }, 0);
}

function isInMongo({ one }: Rendered): boolean {
  const rules = one('NetworkPolicy', 'application').spec.egress ?? [];
  return rules.some(({ ports }) => ports?.some(({ port }) => port === 27_017));
}

/** New ones that the strategy adds at a time, and as many that have not ended yet; a single pod is replaced by one. */
function whileRolling(pods: number): number {
  return pods === 1 ? 2 : pods + 2 * Math.ceil(pods / 4);
}

function fewest(rendered: Rendered, service: string): number {
  const { replicas } = rendered.one('Deployment', service).spec;
  return replicas ?? scalerOf(rendered, service).fewest;
}

function most(rendered: Rendered, service: string): number {
  return scalerOf(rendered, service).most;
}

function scalerOf({ of }: Rendered, service: string): { readonly fewest: number; readonly most: number } {
  const name = `pfq-${service}`;
  const byCpu = of('HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);
  if (byCpu !== undefined) return { fewest: byCpu.spec.minReplicas, most: byCpu.spec.maxReplicas };
  const byLag = of('ScaledObject').find(({ spec }) => spec.scaleTargetRef.name === name);
  assert.ok(byLag !== undefined, `nothing scales ${service}`);
  return { fewest: byLag.spec.minReplicaCount, most: byLag.spec.maxReplicaCount };
}

/** The figures of a row of the guide's table. Throws where there is none of that name. */
function figuresOf(row: string): readonly number[] {
  const line = readText(GUIDE)
    .split('\n')
    .find((text) => text.startsWith(`| ${row} `));
  if (line === undefined) throw new Error(`${GUIDE} has no row "${row}"`);
  return line.split('|').slice(2, -1).map(Number);
}
