import '@pfq/local/end-with-parent';
import { Problem } from '@pfq/local/problem';
import { randomBytes } from 'node:crypto';
import { LIFT } from '../support/limits.ts';
import { exampleBody } from '../support/examples.ts';
import { commandsOf } from './commands.ts';
import type { Commands } from './commands.ts';
import { makeAgency, order, sql } from './inside-pod.ts';
import { loadImage } from './load-image.ts';
import { chartArguments, RELEASE, tryInstall } from './release.ts';
import type { Finding, Scene } from './scene.ts';
import { makeSurroundings } from './surroundings.ts';
import type { Images } from './surroundings.ts';
import { tryKills } from './trials/kills.ts';
import { tryRollouts } from './trials/rollouts.ts';
import { trySpread } from './trials/spread.ts';
import { tryWrongSettings } from './trials/wrong-settings.ts';

const HELP = `npm run test:cluster -- [--keep] [TRIAL ...]

Installs the chart with its databases into a namespace of its own on the cluster of KUBECONFIG, runs its test, and then, under
load: rollouts, spread, kills; and without: wrong-settings. Or only the trials named. Exits with 1 where a promise is broken.
The namespace goes at the end, unless --keep is given. Needs kubectl (or KUBECTL) and helm (or HELM).

PFQ_TEST_IMAGE           the product's image, name:tag, as the cluster's nodes have it; pfq:0.1.0
PFQ_TEST_IMAGE_LOAD      builds that image by deploy/Dockerfile first, and then runs this command with its name as the last
                         argument: "kind load docker-image", "minikube image load", "docker push"
PFQ_TEST_POSTGRES_IMAGE  postgres:17
PFQ_TEST_MONGODB_IMAGE   mongo:8.0
PFQ_TEST_KAFKA_IMAGE     apache/kafka:4.1.1
`;

/** Enough connections that chance spreads them, each used often enough to be kept. */
const LOAD = { callers: 120, everyMs: 2_500 };

const TRIALS: Readonly<Record<string, (scene: Scene) => Promise<readonly Finding[]>>> = {
  rollouts: tryRollouts,
  spread: trySpread,
  kills: tryKills,
  'wrong-settings': tryWrongSettings,
};

async function testCluster(
  names: readonly string[],
  isKept: boolean,
  stopping: AbortSignal,
): Promise<readonly Finding[]> {
  const { env } = process;
  if (!env['KUBECONFIG']) throw new Problem('KUBECONFIG is not set: it must name the cluster to test on.');
  const images: Images = {
    IMAGE: env['PFQ_TEST_IMAGE'] || 'pfq:0.1.0',
    POSTGRES_IMAGE: env['PFQ_TEST_POSTGRES_IMAGE'] || 'postgres:17',
    MONGODB_IMAGE: env['PFQ_TEST_MONGODB_IMAGE'] || 'mongo:8.0',
    KAFKA_IMAGE: env['PFQ_TEST_KAFKA_IMAGE'] || 'apache/kafka:4.1.1',
  };
  const namespace = `pfq-test-${randomBytes(3).toString('hex')}`;
  const commands = commandsOf({ namespace, environment: env, stopping });
  await commands.kubectl(['version']);
  await commands.helm(['version']);
  if (env['PFQ_TEST_IMAGE_LOAD']) await loadImage(images.IMAGE, env['PFQ_TEST_IMAGE_LOAD'], stopping);
  try {
    say(`namespace ${namespace}: databases, Kafka, mail server, callers`);
    await makeSurroundings(commands, images);
    return await tryAll({ commands, image: images.IMAGE, say }, names);
  } finally {
    if (!isKept) await remove(namespace);
  }
}

async function tryAll(scene: Scene, names: readonly string[]): Promise<readonly Finding[]> {
  const { commands } = scene;
  const findings: Finding[] = [];
  const add = (...more: readonly Finding[]) => {
    more.forEach(tell);
    findings.push(...more);
  };
  add(await install(scene));
  const keys = await makeAgency(commands);
  await sql(commands, 'gateway', LIFT);
  add(await runHelmTest(commands));
  const work = { gatewayUrl: `http://${RELEASE}-gateway-public`, keys, body: exampleBody('roofing-contractor') };
  say('starting the callers');
  await order(commands, 'start', { ...work, ...LOAD });
  for (const [name, trial] of Object.entries(TRIALS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`trial: ${name}`);
    add(...(await trial(scene)));
  }
  return findings;
}

async function install({ commands, image }: Scene): Promise<Finding> {
  say('installing the chart');
  const startedMs = performance.now();
  const { code, stdout, stderr } = await tryInstall(commands, {
    name: RELEASE,
    timeout: '10m',
    chart: chartArguments(image),
  });
  if (code !== 0) throw new Problem(`helm upgrade --install: ${stderr.trim() || stdout.trim()}`);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  return { promise: 'the chart is installed, with migrations, and all is ready', figure: `${seconds} s`, broken: [] };
}

async function runHelmTest({ tryHelm }: Commands): Promise<Finding> {
  say('helm test');
  const startedMs = performance.now();
  const { code, stdout, stderr } = await tryHelm(['test', RELEASE, '--logs', '--timeout', '5m']);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  const broken = code === 0 ? [] : [`${stdout}\n${stderr}`.trim()];
  return { promise: 'helm test prices a quote and opens its page', figure: `${seconds} s`, broken };
}

/** Whatever had to be stopped, and without waiting until the last of it has gone. */
async function remove(namespace: string): Promise<void> {
  const commands = commandsOf({ namespace, environment: process.env, stopping: new AbortController().signal });
  say(`removing namespace ${namespace}`);
  await commands.tryKubectl(['delete', 'namespace', namespace, '--wait=false', '--ignore-not-found']);
}

function say(line: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

function tell(finding: Finding): void {
  const verdict = finding.broken.length === 0 ? 'ok    ' : 'BROKEN';
  process.stdout.write(`${verdict} ${finding.promise}: ${finding.figure}\n`);
  for (const line of finding.broken) process.stdout.write(`         ${line}\n`);
}

function countBroken(findings: readonly Finding[]): number {
  const broken = findings.filter((finding) => finding.broken.length > 0).length;
  process.stdout.write(`${findings.length} promises, ${broken} broken\n`);
  return broken;
}

const words = process.argv.slice(2);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
const names = words.filter((word) => word !== '--keep');
const unknown = names.find((name) => !(name in TRIALS));
if (unknown !== undefined) {
  process.stdout.write(HELP);
  process.exitCode = unknown === '--help' ? 0 : 2;
} else {
  try {
    const findings = await testCluster(names, words.includes('--keep'), stopping.signal);
    process.exitCode = countBroken(findings) === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    process.stderr.write(`test:cluster: ${error.message}\n`);
    process.exitCode = 1;
  }
}
