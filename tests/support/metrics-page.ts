import type { RunningStack } from './stack.ts';

export type ServiceName = keyof RunningStack['file']['operations'];

/** What a service of a stack shows to Prometheus now. */
export async function metricsPage({ file }: Pick<RunningStack, 'file'>, service: ServiceName): Promise<string> {
  const page = await fetch(`${file.operations[service]}/metrics`);
  return page.text();
}
