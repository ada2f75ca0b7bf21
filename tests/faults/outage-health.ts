import { isServing } from '@pfq/local/grpc-health';
import { LOCAL_HOST } from '@pfq/local/ports';
import { SERVICE_NAMES } from './outage-stack.ts';
import type { OutageStack, ServiceName } from './outage-stack.ts';

/** How the services of a stack are, by all that they say of themselves. */
export type HealthView = {
  /** Those that are not ready, or do not answer at all. */
  readonly notReady: readonly ServiceName[];
  /** Dependencies that are away, with those who say so. */
  readonly away: Readonly<Record<string, readonly ServiceName[]>>;
  /** Where probe, gRPC health and metric of one service disagree. */
  readonly torn: readonly string[];
};

type Report = {
  readonly isReady: boolean;
  readonly away: readonly string[];
  readonly torn: readonly string[];
};

const TIMEOUT_MS = 5_000;

/** Asks every service in every way; what it is depends on changes within moments. */
export async function lookAtHealth({
  operations,
  rpcPorts,
}: Pick<OutageStack, 'operations' | 'rpcPorts'>): Promise<HealthView> {
  const reports = await Promise.all(
    SERVICE_NAMES.map(async (name) => ({ name, ...(await reportOf(operations[name], rpcPorts[name])) })),
  );
  const dependencies = [...new Set(reports.flatMap(({ away }) => away))].sort();
  const whoMisses = (dependency: string) =>
    reports.flatMap(({ name, away }) => (away.includes(dependency) ? [name] : []));
  return {
    notReady: reports.flatMap(({ name, isReady }) => (isReady ? [] : [name])),
    away: Object.fromEntries(dependencies.map((dependency) => [dependency, whoMisses(dependency)])),
    torn: reports.flatMap(({ name, torn }) => torn.map((what) => `${name}: ${what}`)),
  };
}

async function reportOf(url: string, rpcPort: number): Promise<Report> {
  const [probe, metrics, isServingRpc] = await Promise.all([
    ask(`${url}/readyz`),
    ask(`${url}/metrics`),
    isServing({ host: LOCAL_HOST, port: rpcPort }),
  ]);
  if (probe === null || metrics === null) {
    const torn = isServingRpc ? ['gRPC health serves, and the probes do not answer'] : [];
    return { isReady: false, away: [], torn };
  }
  const isReady = probe.status === 200;
  const { dependencies }: { dependencies: readonly { name: string; up: boolean }[] } = JSON.parse(probe.text);
  const away = dependencies.flatMap(({ name, up }) => (up ? [] : [name])).sort();
  const inMetrics = readingsOf(metrics.text, 'pfq_dependency_up').flatMap(({ labels, value }) => {
    const name = /pfq_dependency="([^"]+)"/.exec(labels)?.[1] ?? labels;
    return value === 0 ? [name] : [];
  });
  const ready = readingsOf(metrics.text, 'pfq_ready')[0]?.value === 1;
  return {
    isReady,
    away,
    torn: [
      ...(isServingRpc === isReady ? [] : [`/readyz says ${isReady}, gRPC health ${isServingRpc}`]),
      ...(ready === isReady ? [] : [`/readyz says ${isReady}, pfq_ready ${ready}`]),
      ...(inMetrics.sort().join() === away.join()
        ? []
        : [`/readyz says ${away.join()}, pfq_dependency_up ${inMetrics.join()}`]),
    ],
  };
}

/** Lines of the text that Prometheus reads: `name{labels} value`. */
function readingsOf(page: string, name: string): readonly { readonly labels: string; readonly value: number }[] {
  const lines = page.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)`, 'gm'));
  return Array.from(lines, ([, labels = '', value]) => ({ labels, value: Number(value) }));
}

async function ask(url: string): Promise<{ readonly status: number; readonly text: string } | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await response.text() };
  } catch {
    return null;
  }
}
