import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import type { Commands } from './commands.ts';

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '../..');

export type Images = { readonly [Name in 'IMAGE' | 'POSTGRES_IMAGE' | 'MONGODB_IMAGE' | 'KAFKA_IMAGE']: string };

/** What runs in the callers' pod and the mail server's, by the names that the manifest gives them. */
const PROGRAMS = {
  'callers.ts': 'tests/cluster/inside/callers.ts',
  'one-caller.ts': 'tests/cluster/inside/one-caller.ts',
  'ask.ts': 'tests/cluster/inside/ask.ts',
  'mail-server.ts': 'tests/cluster/inside/mail-server.ts',
  'insured.ts': 'tests/support/insured.ts',
};

const NAMESPACE_LABELS = { 'pod-security.kubernetes.io/enforce': 'restricted' };
const PASSWORD = 'for-tests';
const SECRET = 'pfq-secrets';

/** What the release needs to know of where things are, by the keys that the chart has for it. */
function secretKeys(): Readonly<Record<string, string>> {
  const database = (role: string, name: string) => `postgres://${role}:${PASSWORD}@postgres:5432/${name}`;
  const urls = ['gateway', 'pricing', 'quote-store', 'notification'].flatMap((service) => {
    const name = service.replace('-', '_');
    return [
      [`${service}-database-url`, database(name, name)],
      [`${service}-migration-url`, database(`${name}_owner`, name)],
    ] as const;
  });
  const applications = 'mongodb://mongodb:27017/application?directConnection=true';
  return {
    ...Object.fromEntries(urls),
    'application-database-url': applications,
    'application-migration-url': applications,
    'wrong-database-url': database('wrong', 'wrong'),
    'wrong-migration-url': database('wrong_owner', 'wrong'),
    'nowhere-database-url': database('wrong', 'wrong').replace('@postgres', '@nowhere.invalid'),
    'operator-token': 'operator-token-of-the-cluster-test-0123456789',
    'key-pepper': 'key-pepper-of-the-cluster-test-0123456789',
    'answer-secrets': 'answer-secret-of-the-cluster-test-0123456789',
    'review-secrets': 'review-secret-of-the-cluster-test-0123456789',
    'smtp-url': 'smtp://mail:2525',
    'events-url': 'kafka://kafka:9092',
  };
}

/** A namespace with databases, Kafka, a mail server, callers and the Secret of the release. */
export async function makeSurroundings(commands: Commands, images: Images): Promise<void> {
  const { namespace, kubectl } = commands;
  const apply = (object: object) => kubectl(['apply', '--filename', '-'], JSON.stringify(object));
  const metadata = (name: string) => ({ name, labels: {} });
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: NAMESPACE_LABELS } });
  await apply({ apiVersion: 'v1', kind: 'Secret', metadata: metadata(SECRET), stringData: secretKeys() });
  const programs = Object.entries(PROGRAMS).map(([name, file]) => [name, readFileSync(path.join(ROOT, file), 'utf8')]);
  const data = { ...Object.fromEntries(programs), 'package.json': '{"type":"module"}' };
  await apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata('programs'), data });
  for (const name of ['postgres', 'mongodb', 'kafka', 'callers']) {
    for (const object of readManifest(name, images)) await apply(object);
  }
  const waits = [
    ...['postgres', 'mongodb', 'kafka'].map((name) => ['rollout', 'status', `statefulset/${name}`, '--timeout=180s']),
    ['wait', 'pod/mail', 'pod/callers', '--for=condition=Ready', '--timeout=180s'],
  ];
  await Promise.all(waits.map((args) => kubectl(args)));
}

/** The objects of a manifest, with images in the place of the names that it has for them. */
function readManifest(name: string, images: Images): readonly object[] {
  const given = readFileSync(path.join(HERE, 'manifests', `${name}.yaml`), 'utf8');
  const filled = given.replaceAll(/\$([A-Z_]+)/g, (whole, variable: keyof Images) => images[variable] ?? whole);
  return filled.split(/^---$/m).map((document): object => parseDocument(document).toJS());
}
