import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Container, Kinds, Metadata, PodSpec, PodTemplate } from './kinds.ts';

/** Where applications are kept, which decides what copies them. */
export const ENGINES = ['postgresql', 'mongodb'] as const;
export type Engine = (typeof ENGINES)[number];

export type CronJob = {
  readonly metadata: Metadata;
  readonly spec: {
    readonly concurrencyPolicy: string;
    readonly startingDeadlineSeconds: number;
    readonly failedJobsHistoryLimit: number;
    readonly jobTemplate: {
      readonly spec: {
        readonly backoffLimit: number;
        readonly activeDeadlineSeconds: number;
        readonly template: PodTemplate;
      };
    };
  };
};

type BackUp = {
  readonly cronJob: CronJob;
  readonly pod: PodSpec;
  readonly policy: Kinds['NetworkPolicy'];
  readonly kinds: readonly string[];
};

const ROOT = path.resolve(import.meta.dirname, '../..');
const MANIFEST = path.join(ROOT, 'deploy/backup/cron-job.yaml');
export const GUIDE = readFileSync(path.join(ROOT, 'docs/guide/backup.md'), 'utf8');
const USUAL_BLOCK = /^ {10}containers:\n(?: {12}.*\n)+/m;
const OTHER_BLOCK = /^ {10}# containers:\n(?: {10}# .*\n)+/m;

/** The nightly back-up, after what its comments say of MongoDB, and after a change of the text where there is one. */
export function readBackUp(engine: Engine, change = (text: string) => text): BackUp {
  const text = readFileSync(MANIFEST, 'utf8');
  const chosen = engine === 'postgresql' ? text : takeOtherBlock(text);
  const objects = parseAllDocuments(change(chosen), { version: '1.1' }).map((document) => {
    const [problem] = document.errors;
    if (problem) throw problem;
    return document.toJS({ maxAliasCount: 100 });
  });
  const find = (kind: string) => objects.find((object) => object.kind === kind);
  const cronJob: CronJob = find('CronJob');
  const { spec } = cronJob.spec.jobTemplate.spec.template;
  const pod = {
    ...spec,
    initContainers: (spec.initContainers ?? []).map(withArguments),
    containers: spec.containers.map(withArguments),
  };
  return { cronJob, pod, policy: find('NetworkPolicy'), kinds: objects.map(({ kind }) => kind) };
}

/** What the guide has `sed` make of the nightly job, to have it restore. */
export function restoring(text: string): string {
  const [, script] = /sed '([^']+)' \| kubectl /.exec(GUIDE) ?? [];
  if (script === undefined) throw new Error('the guide makes no job that restores any more');
  return execFileSync('sed', [script], { input: text, encoding: 'utf8' });
}

/** Those of PostgreSQL's image are told all by their command. */
function withArguments(container: Omit<Container, 'args'> & { readonly args?: readonly string[] }): Container {
  return { ...container, args: container.args ?? [] };
}

function takeOtherBlock(text: string): string {
  const [other] = OTHER_BLOCK.exec(text) ?? [];
  if (other === undefined || !USUAL_BLOCK.test(text))
    throw new Error('cron-job.yaml has no block for MongoDB any more');
  return text.replace(OTHER_BLOCK, '').replace(USUAL_BLOCK, other.replaceAll(/^( +)# /gm, '$1'));
}
