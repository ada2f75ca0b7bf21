import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OBSERVABILITY = path.join(ROOT, 'deploy/observability');
export const RUNBOOKS = path.join(ROOT, 'docs/runbooks');

/** A rule as it stands in the file: `alert` or `record` is its name. */
export type WrittenRule = {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

export type WrittenPanel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly links?: readonly { readonly url: string }[];
};

export type WrittenBoard = {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly WrittenPanel[];
};

export function readYaml(file: string) {
  return parse(readFileSync(path.join(OBSERVABILITY, file), 'utf8'));
}

/** Every rule of the file that Prometheus reads. */
export function writtenRules(): readonly WrittenRule[] {
  const { groups }: { groups: readonly { readonly rules: readonly WrittenRule[] }[] } = readYaml('alerts.yaml');
  return groups.flatMap(({ rules }) => rules);
}

/** Every dashboard that Grafana reads. */
export function writtenBoards(): readonly WrittenBoard[] {
  const files = globSync('dashboards/*.json', { cwd: OBSERVABILITY }).sort();
  return files.map((file) => ({ file, ...JSON.parse(readFileSync(path.join(OBSERVABILITY, file), 'utf8')) }));
}

/** Every runbook by its name, the page that lists them left out. */
export function writtenRunbooks(): ReadonlyMap<string, string> {
  const files = globSync('*.md', { cwd: RUNBOOKS }).filter((file) => file !== 'index.md');
  return new Map(
    files.sort().map((file) => [file.replace(/\.md$/, ''), readFileSync(path.join(RUNBOOKS, file), 'utf8')]),
  );
}
