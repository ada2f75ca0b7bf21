import { findTool } from './tools.ts';

const PROMTOOL = findTool('promtool', process.env);

/** Why suites that need promtool are skipped; false where there is one. */
export const WITHOUT_PROMTOOL = PROMTOOL.missing;

/** Runs promtool and gives what it printed. Rejects with all that it said where it finds fault. */
export function promtool(...args: readonly string[]): Promise<string> {
  return PROMTOOL.run(args);
}
