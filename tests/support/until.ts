import { waitUntil } from '@pfq/local/processes';

/** Waits until a condition holds; throws where it does not in time. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<void> {
  if (!(await waitUntil(condition, timeoutMs))) throw new Error(`the condition did not hold within ${timeoutMs} ms`);
}
