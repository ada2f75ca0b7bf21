import { after, before } from 'node:test';
import { apiOf } from './api.ts';
import type { Api } from './api.ts';
import { liftLimits } from './limits.ts';
import { startStack, stackFolder } from './stack.ts';
import type { RunningStack } from './stack.ts';

export type StackOfSuite = {
  readonly stack: () => RunningStack;
  /** The public API with one of the demo agency's keys. */
  readonly api: (key?: keyof RunningStack['file']['keys']) => Api;
  /** Starts a stopped stack again on the same data. */
  readonly startAgain: () => Promise<void>;
};

/**
 * A stack for the tests of a suite, without rate limits: started before the first, ended and removed after the last.
 * `variables` are asked for at every start.
 */
export function useStack(variables: () => Readonly<Record<string, string>> = () => ({})): StackOfSuite {
  const { folder, remove } = stackFolder();
  let running: RunningStack | undefined;
  const startAgain = async () => {
    running = await startStack(folder, variables());
    await liftLimits(running);
  };
  const stack = () => {
    if (!running) throw new Error('the stack is not running');
    return running;
  };
  before(startAgain);
  after(async () => {
    await running?.stop();
    remove();
  });
  return { stack, api: (key = 'test') => apiOf(stack().file.gateway_url, stack().file.keys[key]), startAgain };
}
