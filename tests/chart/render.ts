import { globSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { findTool } from '../support/tools.ts';
import type { Container, Kinds, Metadata, OperatorPod, PodSpec, PodTemplate } from './kinds.ts';

export const CHART = path.resolve(import.meta.dirname, '../../helm/pfq');
export const HELM = findTool('helm', process.env);
export const RELEASE = 'pfq';
export const NAMESPACE = 'quotes';
/** Every profile by its name. */
export const PROFILES = globSync('*.yaml', { cwd: path.join(CHART, 'profiles') })
  .map((file) => path.basename(file, '.yaml'))
  .sort();
/** The oldest release that the chart is for, and the newest two whose schemas it is held to. */
export const KUBERNETES = ['1.20.0', '1.29.0', '1.34.0', '1.37.0'];
export const CURRENT = '1.34.0';
/** A profile with all that it leaves out, as far as it goes together. */
const EVERYTHING = 'everything';
export const EVERY_SHAPE = [...PROFILES, EVERYTHING];

export type Choices = {
  /** A profile, or everything at once; the chart's own values where there is none. */
  readonly shape?: string;
  /** Over those, as values.yaml has them. */
  readonly values?: object;
  readonly kubernetes?: string;
  readonly release?: string;
};

/** A pod that the chart makes, or has made by a Deployment or a Job. */
export type Pod = {
  /** `gateway`, `migrate-gateway`, `smoke`. */
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  readonly container: Container;
};

export type Rendered = {
  readonly text: string;
  readonly all: readonly { readonly apiVersion: string; readonly kind: string; readonly metadata: Metadata }[];
  readonly of: <K extends keyof Kinds>(kind: K) => readonly Kinds[K][];
  /** The one of that name, without the name of the release. Throws where there is none. */
  readonly one: <K extends keyof Kinds>(kind: K, name: string) => Kinds[K];
  readonly pods: readonly Pod[];
};

/** Arguments that make helm read what was chosen; the values come on standard input. */
export function toArguments({ shape, kubernetes = CURRENT, release = RELEASE }: Choices): readonly string[] {
  const files = [path.join(import.meta.dirname, 'values.yaml')];
  if (shape === EVERYTHING) files.push(path.join(CHART, 'profiles/production.yaml'));
  else if (shape !== undefined) files.push(path.join(CHART, `profiles/${shape}.yaml`));
  if (shape === EVERYTHING) files.push(path.join(import.meta.dirname, 'everything.yaml'));
  const values = [...files, '-'].flatMap((file) => ['--values', file]);
  return [release, CHART, '--namespace', NAMESPACE, '--kube-version', kubernetes, ...values];
}

const rendered = new Map<string, Promise<Rendered>>();

/** What the chart becomes, made once for each choice. Rejects with what helm says where values are refused. */
export function render(choices: Choices = {}): Promise<Rendered> {
  const key = JSON.stringify(choices);
  const found = rendered.get(key) ?? renderAnew(choices);
  rendered.set(key, found);
  return found;
}

export async function renderAnew(choices: Choices): Promise<Rendered> {
  const text = await HELM.run(['template', ...toArguments(choices)], JSON.stringify(choices.values ?? {}));
  return read(text, choices.release ?? RELEASE);
}

/** The pod in which people run pfq, as `kubectl run` is told to change its own. */
export function operatorPodOf({ one }: Rendered): OperatorPod {
  return JSON.parse(one('ConfigMap', 'operator').data['pod.json'] ?? '');
}

/** What helm says to values that it refuses. Throws where it takes them. */
export async function refusalOf(choices: Choices): Promise<string> {
  return render(choices).then(
    () => {
      throw new Error(`these values were taken: ${JSON.stringify(choices)}`);
    },
    (error: unknown) => String(error),
  );
}

function read(text: string, release: string): Rendered {
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  const all: Rendered['all'] = parseAllDocuments(text, { version: '1.1' })
    .map((document) => {
      const [problem] = document.errors;
      if (problem) throw problem;
      return document.toJS();
    })
    .filter((object) => object !== null);
  const of = <K extends keyof Kinds>(kind: K) => all.filter((object) => object.kind === kind) as unknown as Kinds[K][];
  const one = <K extends keyof Kinds>(kind: K, name: string) => {
    const full = [release, name].filter(Boolean).join('-');
    const found = of(kind).find(({ metadata }) => metadata.name === full);
    if (found === undefined) throw new Error(`there is no ${kind} ${full}`);
    return found;
  };
  const templates = [...of('Deployment'), ...of('Job')].map(({ spec }) => spec.template);
  return { text, all, of, one, pods: [...templates, ...of('Pod')].map(toPod) };
}

function toPod({ metadata: { labels = {}, annotations = {} }, spec }: PodTemplate): Pod {
  const [container, ...others] = spec.containers;
  if (container === undefined || others.length > 0) throw new Error('a pod of more or less than one container');
  return { component: labels['app.kubernetes.io/component'] ?? '', labels, annotations, spec, container };
}
