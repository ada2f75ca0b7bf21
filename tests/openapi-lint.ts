import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const FILE = 'docs/openapi.json';

/** Every rule that Redocly recommends, warnings as errors; nothing is fetched. */
async function findProblems(): Promise<readonly string[]> {
  const whole = path.resolve(import.meta.dirname, '..', FILE);
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: readFileSync(whole, 'utf8'), absoluteRef: whole, config });
  return problems.map(({ ruleId, message, location: [first] }) => `${FILE}${first?.pointer}: ${message} (${ruleId})`);
}

const problems = await findProblems();
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
