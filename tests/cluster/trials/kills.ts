import { Problem } from '@pfq/local/problem';
import { until } from '../../support/until.ts';
import { mailsOf, order, runInPod, sql } from '../inside-pod.ts';
import { podsOf, SERVICES } from '../release.ts';
import type { Pod, ServiceName } from '../release.ts';
import type { Finding, Scene } from '../scene.ts';

/**
 * Ends the first process of the pod as if it had been killed: nothing is finished and nobody is told. A signal from inside
 * cannot, so Node's own debugger does, which is there once the process gets SIGUSR1; a moment later, so that it can answer.
 */
const CRASH = `
  process.kill(1, 'SIGUSR1');
  const find = () => fetch('http://127.0.0.1:9229/json').then((answer) => answer.json(), () => null);
  let found = await find();
  for (let tries = 0; found === null && tries < 100; tries += 1) {
    await new Promise((next) => setTimeout(next, 50));
    found = await find();
  }
  const socket = new WebSocket(found[0].webSocketDebuggerUrl);
  const expression = 'setTimeout(() => process.reallyExit(137), 500)';
  socket.onopen = () => socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  socket.onmessage = () => process.exit(0);`;
const TIME_TO_MEND_MS = 180_000;
/** As long as a key waits for whoever has claimed it, and a little more. */
const TIME_TO_SETTLE_MS = 200_000;

/**
 * Takes away a pod of each service at once and without grace, crashes a process of each, and stops PostgreSQL without a
 * checkpoint, while callers call. What was answered as stored must be there, as it was, and once.
 */
export async function tryKills(scene: Scene): Promise<readonly Finding[]> {
  const { commands, say } = scene;
  await order(commands, 'report', null);
  let kills = 0;
  for (const service of SERVICES) {
    say(`taking away a pod of ${service}, then crashing one`);
    await takeAway(scene, service);
    await crash(scene, service);
    kills += 2;
  }
  say('stopping PostgreSQL without a checkpoint');
  await commands.tryKubectl(['exec', 'postgres-0', '--', 'pg_ctl', 'stop', '--mode=immediate', '--no-wait']);
  await commands.kubectl(['wait', 'pod/postgres-0', '--for=condition=Ready=false', '--timeout=60s']);
  await commands.kubectl(['wait', 'pod/postgres-0', '--for=condition=Ready', '--timeout=180s']);
  await untilAllReady(scene);
  const { requests, failures } = await order(commands, 'report', null);
  say('stopping the callers, and reading every quote again');
  await order(commands, 'stop', null);
  const { failures: late, repeats, lost, quotes, interested } = await order(commands, 'report', null);
  const { read, wrong } = await order(commands, 'check', null);
  return [
    {
      promise: 'killed pods and a crashed PostgreSQL lose no quote',
      figure: `${kills + 1} kills, ${requests} requests of which ${failures.length} failed; ${read} quotes read back identical`,
      broken: [...wrong, ...(requests === 0 ? ['there was no load'] : [])],
    },
    await countStored(scene, { quotes, repeats, lost, late }),
    await countMails(scene, interested),
  ];
}

async function takeAway({ commands }: Scene, service: ServiceName): Promise<void> {
  const pods = await podsOf(commands, service);
  const name = pods[0]?.name ?? '';
  await commands.kubectl(['delete', 'pod', name, '--grace-period=0', '--force', '--wait=false']);
  await untilReady(commands, service, (now) => now.length === pods.length && now.every((pod) => pod.name !== name));
}

async function crash({ commands }: Scene, service: ServiceName): Promise<void> {
  const [pod] = await podsOf(commands, service);
  if (pod === undefined) throw new Problem(`${service} has no pod`);
  await runInPod(commands, pod.name, CRASH);
  const hasRestarted = ({ name, restarts }: Pod) => name === pod.name && restarts > pod.restarts;
  await untilReady(commands, service, (now) => now.some(hasRestarted));
}

async function untilReady(
  commands: Scene['commands'],
  service: ServiceName,
  isMended: (pods: readonly Pod[]) => boolean,
): Promise<void> {
  const isReady = async () => {
    const pods = await podsOf(commands, service);
    return isMended(pods) && pods.every((pod) => pod.isReady);
  };
  await until(isReady, TIME_TO_MEND_MS);
}

async function untilAllReady({ commands }: Scene): Promise<void> {
  for (const service of SERVICES) await untilReady(commands, service, () => true);
}

type Writes = {
  readonly quotes: number;
  readonly repeats: number;
  readonly lost: number;
  readonly late: readonly string[];
};

/** A write whose key was lost may have been stored, once; every other is stored exactly once. */
async function countStored({ commands }: Scene, { quotes, repeats, lost, late }: Writes): Promise<Finding> {
  const [stored = ''] = await sql(commands, 'quote_store', LOADED);
  const count = Number(stored);
  const isOnce = count >= quotes && count <= quotes + lost;
  return {
    promise: 'writes that are repeated with their key are stored once',
    figure: `${quotes} answered, ${count} stored; ${repeats} repeats, ${lost} answered as lost`,
    broken: [...late, ...(isOnce ? [] : [`${quotes} quotes were answered, and ${count} are stored`])],
  };
}

/** Of the agency with most quotes: the callers', beside that of the smoke test. One row for each agency and mode. */
const LOADED = `SELECT count(*) FROM quotes GROUP BY agency_id ORDER BY 1 DESC LIMIT 1`;

async function countMails({ commands }: Scene, interested: readonly string[]): Promise<Finding> {
  const hasAll = async () => {
    const mailed = new Set((await mailsOf(commands)).map(({ quote }) => quote));
    return interested.every((quote) => mailed.has(quote));
  };
  const isComplete = await until(hasAll, TIME_TO_SETTLE_MS).then(
    () => true,
    () => false,
  );
  const mails = await mailsOf(commands);
  const mailed = new Set(mails.map(({ quote }) => quote));
  const ids = new Set(mails.map(({ message_id }) => message_id));
  const missing = interested.filter((quote) => !mailed.has(quote));
  return {
    promise: 'every response reaches the broker, as one message however often it is sent',
    figure: `${interested.length} responses, ${mails.length} mails, ${ids.size} message ids`,
    broken: [
      ...(isComplete ? [] : missing.map((quote) => `no mail about ${quote}`)),
      ...(ids.size === mailed.size ? [] : [`${ids.size} message ids for ${mailed.size} quotes`]),
    ],
  };
}
