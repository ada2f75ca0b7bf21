import type { MessageInitShape } from '@bufbuild/protobuf';
import type { DirectoryCarrierSchema } from '@pfq/proto/pricing/v1/admin_pb';
import { CsvError, parse } from 'csv-parse/sync';
import { CommandFailure } from './failure.ts';

type Carrier = MessageInitShape<typeof DirectoryCarrierSchema>;
type Line = { readonly number: number; readonly cells: readonly string[] };
type Seen = { readonly naicCodes: Map<string, number>; readonly amBestIds: Map<string, number> };

const COLUMNS = ['name', 'naic_code', 'am_best_id', 'rating'];
/** AM Best's scale of financial strength, best first, then the marks that are off it. */
const RATINGS = 'A++ A+ A A- B++ B+ B B- C++ C+ C C- D E F S NR'.split(' ');

/** Reads a carrier directory from CSV. Throws a CommandFailure that names the file and the first bad line. */
export function parseCarriers(text: string, file: string): Carrier[] {
  const [head, ...lines] = splitLines(text, file);
  if (head?.cells.join() !== COLUMNS.join()) {
    throw new CommandFailure(`${file} line ${head?.number ?? 1} must be the header ${COLUMNS.join()}.`);
  }
  if (lines.length === 0) throw new CommandFailure(`${file} names no carrier.`);
  const seen: Seen = { naicCodes: new Map(), amBestIds: new Map() };
  const bad = lines.flatMap((line) => {
    const problem = findProblem(line, seen);
    return problem === undefined ? [] : [`line ${line.number}: ${problem}`];
  });
  if (bad.length > 0) {
    const more = bad.length > 1 ? ` ${bad.length - 1} more bad after it.` : '';
    throw new CommandFailure(`${file} ${bad[0]}.${more} Nothing was loaded.`);
  }
  return lines.map(({ cells: [name = '', naicCode = '', amBestId = '', rating = ''] }) => {
    return { name, naicCode, amBestId, rating };
  });
}

function splitLines(text: string, file: string): Line[] {
  const numbers: number[] = [];
  try {
    const rows = parse(text, {
      skipEmptyLines: true,
      relaxColumnCount: true,
      onRecord: (cells: string[], { lines }) => {
        numbers.push(lines);
        return cells;
      },
    });
    return rows.map((cells, index) => ({ number: numbers[index] ?? 0, cells: cells.map((cell) => cell.trim()) }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandFailure(`${file}: ${error.message}. Nothing was loaded.`, error);
  }
}

/** The first thing wrong with a line; undefined where all is well. Codes are noted as seen. */
function findProblem({ number, cells }: Line, seen: Seen): string | undefined {
  if (cells.length !== COLUMNS.length) {
    return `there are ${cells.length} columns, not ${COLUMNS.length}; put a name that has a comma in double quotes`;
  }
  const [name = '', naicCode = '', amBestId = '', rating = ''] = cells;
  if (name === '') return 'the name is blank';
  if (naicCode !== '' && !/^\d{5}$/.test(naicCode)) return `naic_code "${naicCode}" is not 5 digits`;
  if (rating !== '' && !RATINGS.includes(rating)) {
    return `rating "${rating}" is none of ${RATINGS.join(', ')}; leave it empty where none is on file`;
  }
  return (
    noteCode(seen.naicCodes, { column: 'naic_code', code: naicCode, number }) ??
    noteCode(seen.amBestIds, { column: 'am_best_id', code: amBestId, number })
  );
}

function noteCode(
  lineOf: Map<string, number>,
  { column, code, number }: { column: string; code: string; number: number },
): string | undefined {
  const earlier = lineOf.get(code);
  if (earlier !== undefined) return `${column} "${code}" is on line ${earlier} already`;
  if (code !== '') lineOf.set(code, number);
  return undefined;
}
