import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Kind } from './json-schemas.ts';
import { HELM, NAMESPACE, toArguments, type Choices } from './render.ts';

export type Cluster = {
  readonly version: string;
  /** Kinds that its API serves. */
  readonly kinds: readonly Kind[];
  /** Secrets of the namespace: their keys and texts. */
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Whether whoever installs may see ServiceAccounts and Secrets. They may where it is not said. */
  readonly isOpen?: boolean;
};

const USUAL: readonly Kind[] = [
  ...['ConfigMap', 'Pod', 'Secret', 'Service', 'ServiceAccount'].map((kind) => ({ apiVersion: 'v1', kind })),
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
];
/** What the chart asks for of Kubernetes 1.20, and of one of today. */
export const OF_1_20: readonly Kind[] = [
  ...USUAL,
  { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
  { apiVersion: 'policy/v1beta1', kind: 'PodDisruptionBudget' },
];
export const OF_TODAY: readonly Kind[] = [
  ...USUAL,
  { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
  { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' },
];

const IN_NAMESPACE = `/api/v1/namespaces/${NAMESPACE}/`;
/** What templates ask for, and helm itself does not. */
const LOOKED_UP = new RegExp(`^${IN_NAMESPACE}(serviceaccounts$|secrets/)`);

/**
 * What helm would do on a cluster: its output, or what it refuses with. The cluster is as much of an API server as helm asks
 * while it makes up its mind, on loopback; nothing is installed.
 */
export async function tryOn(cluster: Cluster, choices: Choices): Promise<string> {
  const server = createServer((request, response) => {
    const place = new URL(request.url ?? '/', 'http://cluster').pathname;
    const isClosed = cluster.isOpen === false && LOOKED_UP.test(place);
    const found = request.method === 'GET' && !isClosed ? answer(cluster, place) : null;
    const [code, reason] = isClosed ? [403, 'Forbidden'] : [404, 'NotFound'];
    response.writeHead(found === null ? code : 200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(found ?? { apiVersion: 'v1', kind: 'Status', status: 'Failure', reason, message: reason, code }),
    );
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-cluster-'));
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const file = path.join(folder, 'kubeconfig');
    writeFileSync(file, kubeconfig(`http://127.0.0.1:${port}`));
    const { kubernetes: _, ...others } = choices;
    const given = toArguments(others).filter(
      (word, index, all) => word !== '--kube-version' && all[index - 1] !== '--kube-version',
    );
    const options = ['--kubeconfig', file, '--dry-run=server', '--disable-openapi-validation'];
    return await HELM.run(['install', ...given, ...options], JSON.stringify(choices.values ?? {}));
  } catch (error) {
    return String(error);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

function answer({ version, kinds, secrets, configMaps = {} }: Cluster, place: string): object | null {
  const [major, minor] = version.split('.');
  if (place === '/version') return { major, minor, gitVersion: `v${version}` };
  if (place === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (place === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groupsOf(kinds) };
  const [, apiVersion] = /^\/apis?\/([^/]+(?:\/[^/]+)?)$/.exec(place) ?? [];
  if (apiVersion !== undefined) {
    const own = kinds.filter((kind) => kind.apiVersion === apiVersion);
    const resources = own.map(({ kind }) => ({
      name: plural(kind),
      kind,
      namespaced: true,
      verbs: ['get', 'list', 'create'],
    }));
    return own.length === 0 ? null : { kind: 'APIResourceList', groupVersion: apiVersion, resources };
  }
  if (place === `${IN_NAMESPACE}serviceaccounts`) {
    return { apiVersion: 'v1', kind: 'ServiceAccountList', metadata: {}, items: [] };
  }
  const [kind = '', name = ''] = place.replace(IN_NAMESPACE, '').split('/');
  const metadata = { name, namespace: NAMESPACE };
  const { [name]: secret } = kind === 'secrets' ? secrets : {};
  const { [name]: configMap } = kind === 'configmaps' ? configMaps : {};
  if (configMap !== undefined) return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: configMap };
  if (secret === undefined) return null;
  const data = Object.fromEntries(Object.entries(secret).map(([key, text]) => [key, btoa(text)]));
  return { apiVersion: 'v1', kind: 'Secret', metadata, data };
}

function groupsOf(kinds: readonly Kind[]) {
  const named = kinds.map(({ apiVersion }) => apiVersion).filter((apiVersion) => apiVersion.includes('/'));
  const names = [...new Set(named.map((apiVersion) => apiVersion.split('/')[0] ?? ''))];
  return names.map((name) => {
    const own = [...new Set(named.filter((apiVersion) => apiVersion.startsWith(`${name}/`)))];
    const versions = own.map((groupVersion) => ({ groupVersion, version: groupVersion.split('/')[1] }));
    return { name, versions, preferredVersion: versions.at(-1) };
  });
}

function plural(kind: string): string {
  return kind.toLowerCase().replace(/y$/, 'ie').concat('s');
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'pretended', cluster: { server } }],
    contexts: [{ name: 'pretended', context: { cluster: 'pretended', user: 'nobody' } }],
    users: [{ name: 'nobody', user: {} }],
    'current-context': 'pretended',
  });
}
