import { COVERAGE_TYPES } from '@pfq/proto/coverage-types';
import { plainMarkdown } from './escape.ts';

/** A table of every coverage type, with the names under which the trade knows it. */
export function coverageTypesTable(): string {
  const rows = COVERAGE_TYPES.map(({ type, name, definition, aliases, flags }) => {
    const marks = flags.map((flag) => ` Flag: \`${flag}\`.`).join('');
    const meaning = plainMarkdown(definition) + marks;
    return `| \`${type}\` | ${plainMarkdown(name)} | ${meaning} | ${plainMarkdown(aliases.join(', '))} |`;
  });
  return ['| `type` | Name | What it insures | Aliases |', '|---|---|---|---|', ...rows].join('\n');
}
