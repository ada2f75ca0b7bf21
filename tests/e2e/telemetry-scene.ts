import { after, before } from 'node:test';
import { quoteOf } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { metricsPage } from '../support/metrics-page.ts';
import type { ServiceName } from '../support/metrics-page.ts';
import { startOtlpReceiver } from '../support/otlp.ts';
import type { OtlpReceiver } from '../support/otlp.ts';
import type { RunningStack } from '../support/stack.ts';
import { useStack } from '../support/use-stack.ts';
import type { StackOfSuite } from '../support/use-stack.ts';

/** A stack whose every trace is sampled and sent to a receiver of our own, and that logs all that it can. */
export type Scene = StackOfSuite & {
  readonly receiver: () => OtlpReceiver;
  /** Stops the stack, so that nothing is on its way any more. Gives what it had told of itself. */
  readonly end: () => Promise<Told>;
};

export type Told = {
  /** What each service printed as `service | line`, and others that the stack runs. */
  readonly lines: readonly string[];
  /** Page for Prometheus, by service, as it was last. */
  readonly pages: ReadonlyMap<string, string>;
};

const SERVICES = [
  'gateway',
  'pricing',
  'quote-store',
  'application',
  'notification',
  'hosted-page',
] as const satisfies readonly ServiceName[];
const OF_A_PART = /^[a-z-]+ +\| /;

export function useTelemetryScene(): Scene {
  let receiver: OtlpReceiver | undefined;
  before(async () => {
    receiver = await startOtlpReceiver();
  });
  const get = () => {
    if (!receiver) throw new Error('the receiver is not running');
    return receiver;
  };
  const suite = useStack(() => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: get().url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    LOG_LEVEL: 'debug',
    // Lines for people leave out some of what is known.
    LOG_FORMAT: 'json',
  }));
  after(() => receiver?.stop());
  const end = async () => {
    const pages = await readPages(suite.stack());
    await suite.stack().stop();
    const lines = suite
      .stack()
      .output()
      .split('\n')
      .filter((line) => OF_A_PART.test(line));
    return { lines, pages };
  };
  let told: Promise<Told> | undefined;
  return { ...suite, receiver: get, end: () => (told ??= end()) };
}

/** A quote that the insured can respond to. */
export async function offer(
  api: Api,
): Promise<{ readonly id: string; readonly hostedUrl: string; readonly optionId: string }> {
  const { id, hosted_url, recommended_option_id } = quoteOf(await api.post(exampleBody('roofing-contractor')));
  return { id, hostedUrl: hosted_url ?? '', optionId: recommended_option_id ?? '' };
}

async function readPages(stack: RunningStack): Promise<ReadonlyMap<string, string>> {
  const pages = SERVICES.map(async (service) => [service, await metricsPage(stack, service)] as const);
  return new Map(await Promise.all(pages));
}
