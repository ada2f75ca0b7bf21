import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { promtool, WITHOUT_PROMTOOL } from '../support/promtool.ts';
import { ENGINES, GUIDE, readBackUp, restoring } from './back-up-manifest.ts';
import type { Container, PodSpec } from './kinds.ts';
import { RESTRICTED } from './pods.ts';
import { isAllowed, selects, type Party } from './reach.ts';
import { render } from './render.ts';
import { OPERATIONS_PORT, RPC_PORT, SERVICES, WITH_A_DATABASE } from './services.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SECRET = 'pfq-backup';
const KEYS = WITH_A_DATABASE.map((service) => `${service}-migration-url`);
/** As far as the guide's commands use it: notes what is asked for, and says what a Secret would hold. */
const KUBECTL = `#!/bin/sh
case "$*" in
*' get secret '*) printf 'of %s %s' "$5" "$(expr "$7" : '.*"\\(.*\\)".*')" ;;
*' create secret generic ${SECRET} --from-file='*) cd "\${7#--from-file=}" && for key in *; do echo "$key $(cat "$key")"; done ;;
*' create secret generic pfq-authorities '*) ;;
*) echo "not known: $*" >&2 && exit 1 ;;
esac
`;

/** deploy/backup/cron-job.yaml, which is no part of the chart, works beside what the chart makes. */
export function backUpJob(): void {
  for (const engine of ENGINES) describe(`applications in ${engine}`, () => everyPod(engine));

  it('copies every database, applications last, and says which of them where it cannot', () => {
    const [others, applications] = containersOf(readBackUp('postgresql').pod);
    assert.deepEqual(others?.command?.slice(1), [
      '/scripts/back-up.sh',
      '/copies',
      'gateway',
      'quote-store',
      'pricing',
      'notification',
    ]);
    assert.deepEqual(applications?.command?.slice(1), ['/scripts/back-up.sh', '/copies', 'application']);
    const [, ofMongodb] = containersOf(readBackUp('mongodb').pod);
    assert.equal(ofMongodb?.command, undefined);
    assert.deepEqual(ofMongodb?.args, ['services/application/src/back-up.ts', '/copies/application.gz']);
  });

  it('becomes a job that restores the same services by what the guide does to it', () => {
    const programOf = ({ command = [], args }: Container) => [...command.slice(1, 2), ...args][0];
    for (const [engine, program] of [
      ['postgresql', '/scripts/restore.sh'],
      ['mongodb', 'services/application/src/restore.ts'],
    ] as const) {
      const { pod } = readBackUp(engine, restoring);
      assert.deepEqual(containersOf(pod).map(programOf), ['/scripts/restore.sh', program]);
      const names = (one: PodSpec) => JSON.stringify(one).replaceAll(/back-up|restore/g, '');
      assert.equal(names(pod), names(readBackUp(engine).pod));
    }
  });

  it('is no success of the nightly job where it restores, because it does not belong to it', () => {
    const owner = [
      'apiVersion: batch/v1',
      '  controller: true',
      '  kind: CronJob',
      '  name: pfq-backup',
      '  uid: 7f0a',
    ];
    const made = [
      'metadata:',
      '  name: pfq-restore',
      '  ownerReferences:',
      `  - ${owner.join('\n  ')}`,
      'spec: {}',
      '',
    ];
    assert.equal(restoring(made.join('\n')), 'metadata:\n  name: pfq-restore\nspec: {}\n');
  });

  it('never runs twice at once, begins late rather than not at all, ends, and leaves what failed to be looked at', () => {
    const { spec } = readBackUp('postgresql').cronJob;
    assert.equal(spec.concurrencyPolicy, 'Forbid');
    assert.ok(spec.startingDeadlineSeconds >= 3600 && spec.failedJobsHistoryLimit >= 1);
    assert.ok(spec.jobTemplate.spec.activeDeadlineSeconds > 0 && spec.jobTemplate.spec.backoffLimit > 0);
  });

  it('reaches databases and names beside the policies of the release, nothing else, and nobody reaches it', async () => {
    const { policy, cronJob } = readBackUp('postgresql');
    const { of } = await render({ shape: 'production' });
    const all = [...of('NetworkPolicy'), policy];
    const labels = cronJob.spec.jobTemplate.spec.template.metadata.labels ?? {};
    const refusing = { ...policy, spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } };
    assert.deepEqual(
      all.filter(({ spec }) => selects(spec.podSelector, labels)),
      [policy],
    );
    const own = (its: Party['labels']): Party => ({ labels: its, namespace: {}, isOwn: true });
    const away: Party = { labels: {}, namespace: {}, isOwn: false };
    // A platform may refuse everything in the namespace first.
    const kinds = { of: () => [...all, refusing] as never };
    const reached = [53, 443, 5432, 27_017, RPC_PORT].filter((port) =>
      isAllowed(kinds, { from: own(labels), to: away, port }),
    );
    assert.deepEqual(reached, [53, 5432, 27_017]);
    const strangers = [away, ...SERVICES.map((component) => own({ 'app.kubernetes.io/component': component }))];
    for (const from of strangers) {
      const open = [RPC_PORT, OPERATIONS_PORT, 5432].filter((port) =>
        isAllowed(kinds, { from, to: own(labels), port }),
      );
      assert.deepEqual(open, []);
    }
  });

  it('reads the Secret that the commands of the guide make, whichever Secrets the addresses are in', async (t) => {
    const [usual = '', mongodb = ''] = blocksOf('sh').filter((block) => block.includes('"$copies'));
    assert.deepEqual(
      await runWithKubectl(t, usual),
      KEYS.map((key) => `${key} of pfq ${key}`),
    );
    const instead = usual.replace(/^kubectl -n pfq create/m, `${mongodb}\n$&`);
    const found = await runWithKubectl(t, instead);
    assert.ok(found.includes('application-migration-url of mongodb-application connectionString.standard'));
    assert.equal(found.length, KEYS.length);
  });

  it('reads the Secret that the ExternalSecret of the guide makes', () => {
    const { spec } = parse(blocksOf('yaml').find((block) => block.includes('kind: ExternalSecret')) ?? '');
    assert.equal(spec.target.name, SECRET);
    const keys: readonly string[] = spec.data.map(({ secretKey }: { readonly secretKey: string }) => secretKey);
    assert.deepEqual(keys.toSorted(), KEYS);
  });

  it(
    'an alert tells that none has succeeded for a day, or that there is none',
    { skip: WITHOUT_PROMTOOL },
    async (t) => {
      const folder = temporaryFolder(t);
      const { spec } = parse(readFileSync(path.join(ROOT, 'deploy/backup/alert.yaml'), 'utf8'));
      const [{ rules }] = spec.groups;
      const job = '{cronjob="pfq-backup",namespace="pfq"}';
      const [made, succeeded] = [`kube_cronjob_created${job}`, `kube_cronjob_status_last_successful_time${job}`];
      const labels = { cronjob: 'pfq-backup', namespace: 'pfq' };
      const tests = [
        // Made at 0, succeeded an hour later, and never again; never succeeded; removed after an hour.
        [
          { [made]: '0+0x3000', [succeeded]: '3600+0x3000' },
          { silentAt: '27h10m', firesAt: '27h20m', labels },
        ],
        [{ [made]: '0+0x3000' }, { silentAt: '26h10m', firesAt: '26h20m', labels }],
        [{ [made]: '0+0x60' }, { silentAt: '1h15m', firesAt: '1h30m', labels: { cronjob: 'pfq-backup' } }],
      ] as const;
      writeFileSync(path.join(folder, 'rules.yaml'), JSON.stringify(spec));
      const cases = tests.map(([series, expected]) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          { eval_time: expected.silentAt, alertname: 'BackUpMissing' },
          {
            eval_time: expected.firesAt,
            alertname: 'BackUpMissing',
            exp_alerts: [
              { exp_labels: { severity: 'ticket', ...expected.labels }, exp_annotations: rules[0].annotations },
            ],
          },
        ],
      }));
      const file = path.join(folder, 'test.yaml');
      writeFileSync(file, JSON.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '5m', tests: cases }));
      await promtool('test', 'rules', file);
    },
  );
}

function everyPod(engine: (typeof ENGINES)[number]): void {
  const { pod, cronJob, kinds } = readBackUp(engine);
  const { annotations = {}, labels = {} } = cronJob.spec.jobTemplate.spec.template.metadata;
  // A claim is among the volumes that the standard takes.
  const volumes = pod.volumes.filter((volume) => !('persistentVolumeClaim' in volume));
  const spec = { ...pod, volumes, initContainers: [] };
  const pods = containersOf(pod).map((container) => ({
    component: container.name,
    annotations,
    labels,
    spec,
    container,
  }));

  it('is a volume, a policy and a job, with a container for PostgreSQL and one for applications', () => {
    assert.deepEqual(kinds, ['PersistentVolumeClaim', 'NetworkPolicy', 'CronJob']);
    assert.deepEqual(
      pods.map(({ component }) => component),
      ['others', 'application'],
    );
  });

  for (const [rule, isKept] of Object.entries(RESTRICTED)) {
    it(`PodSecurity restricted, ${rule}`, () => assert.ok(pods.every(isKept)));
  }

  it('has no token, a root that it cannot write to, limits, and images of a version', () => {
    assert.equal(pod.automountServiceAccountToken, false);
    assert.equal(pod.enableServiceLinks, false);
    for (const { image, securityContext, resources, volumeMounts } of containersOf(pod)) {
      assert.equal(securityContext?.readOnlyRootFilesystem, true);
      assert.ok(resources.requests?.cpu && resources.requests.memory && resources.limits?.memory);
      assert.match(image, /:\d+\.\d+/);
      assert.deepEqual(
        volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ name }) => name),
        ['copies'],
      );
    }
  });

  it('has the address of each database from its own Secret, as a file, and none in its environment', () => {
    const secret = pod.volumes.find(({ name }) => name === 'secrets')?.secret;
    assert.equal(secret?.secretName, SECRET);
    const items = secret.items ?? [];
    assert.deepEqual(items.map(({ key }) => key).toSorted(), KEYS);
    const addresses = containersOf(pod).flatMap(({ env = [] }) =>
      env.filter(({ name }) => name.includes('DATABASE_URL')),
    );
    assert.ok(addresses.every(({ name }) => name.endsWith('_FILE')));
    assert.deepEqual(
      addresses.map(({ value = '' }) => value).toSorted(),
      items.map(({ path: file }) => `/secrets/${file}`).toSorted(),
    );
  });

  it('knows the authority of the databases, where the program that speaks to them looks for it', () => {
    assert.equal(pod.volumes.find(({ name }) => name === 'authorities')?.secret?.secretName, 'pfq-authorities');
    const trusted = containersOf(pod).map(({ image, env = [] }) => {
      const variable = image.startsWith('postgres:') ? 'PGSSLROOTCERT' : 'NODE_EXTRA_CA_CERTS';
      return env.find(({ name }) => name === variable)?.value;
    });
    assert.deepEqual(trusted, ['/authorities/ca.crt', '/authorities/ca.crt']);
  });
}

function containersOf({ initContainers = [], containers }: PodSpec): readonly Container[] {
  return [...initContainers, ...containers];
}

/** What is between fences of a language in the guide. */
function blocksOf(language: string): readonly string[] {
  const fence = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms');
  return [...GUIDE.matchAll(fence)].map(([, block = '']) => block);
}

/** The lines that commands print where `kubectl` is ours. */
async function runWithKubectl(t: TestContext, commands: string): Promise<readonly string[]> {
  const folder = temporaryFolder(t);
  writeFileSync(path.join(folder, 'kubectl'), KUBECTL);
  chmodSync(path.join(folder, 'kubectl'), 0o755);
  const env = { PATH: `${folder}:${process.env['PATH']}`, TMPDIR: folder };
  const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { env });
  return stdout.trim().split('\n');
}

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pfq-back-up-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
