import { ServiceError } from '@pfq/kit/errors';
import type { ErrorDetail } from '@pfq/kit/errors';
import type { FileHandle } from 'node:fs/promises';
import { problemOf, readBatches, type Batch, type Entry, type LineProblem } from './applications-file.ts';
import type { Clients } from './clients.ts';
import { BadFile, CommandFailure, describeFailure, Stopped } from './failure.ts';

type ImportOptions = {
  readonly clients: Pick<Clients, 'agencies' | 'applications'>;
  /** The file, for messages. */
  readonly name: string;
  /** Gets a word on how far the work has come. */
  readonly showProgress: (progress: string) => void;
  /** Aborted where the work is to end with the batch under way. */
  readonly stopping: AbortSignal;
};

/** How many applications are new, are different from now on, or were known just so; and how many lines held one. */
type Imported = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly lines: number;
};

/** A file in which nothing is wrong. */
type Checked = { readonly lines: number; readonly digests: readonly string[] };

/** What a line is held against that lies outside its batch. `lineOf` learns every id. */
type Known = { readonly agencies: ReadonlySet<string>; readonly lineOf: Map<string, number> };

const MAX_PROBLEMS_SHOWN = 20;
const INDEX = /^applications\[(\d+)\]\.?/;

/**
 * Stores every application of an open file, or none where anything is wrong with any of them. The file is read twice, so
 * that it need not fit into memory: all of it is checked before any of it is stored. Throws a CommandFailure.
 */
export async function importApplications(file: FileHandle, options: ImportOptions): Promise<Imported> {
  const checked = await checkAll(file, options);
  return storeAll(file, { ...options, ...checked });
}

async function checkAll(file: FileHandle, { clients, name, showProgress, stopping }: ImportOptions): Promise<Checked> {
  const { agencies } = await clients.agencies.listAgencies({});
  const known: Known = { agencies: new Set(agencies.map(({ id }) => id)), lineOf: new Map() };
  const digests: string[] = [];
  const shown: string[] = [];
  let [lines, problems] = [0, 0];
  for await (const batch of readBatches(file)) {
    const found = await checkBatch(batch, known, clients);
    shown.push(...found.slice(0, MAX_PROBLEMS_SHOWN - shown.length).map(({ text }) => text));
    problems += found.length;
    lines += batch.entries.length;
    digests.push(batch.digest);
    showProgress(`${lines} applications checked`);
    if (stopping.aborted) throw new Stopped('stopped while checking: nothing was stored.');
  }
  if (problems > shown.length) shown.push(`and ${problems - shown.length} more`);
  if (problems > 0) throw new BadFile(`${name} has bad lines. Nothing was loaded.`, shown);
  if (lines === 0) throw new CommandFailure(`${name} names no application.`);
  return { lines, digests };
}

async function checkBatch(
  batch: Batch,
  { agencies, lineOf }: Known,
  { applications }: ImportOptions['clients'],
): Promise<readonly LineProblem[]> {
  const problems = [...batch.problems];
  const unique: Entry[] = [];
  for (const entry of batch.entries) {
    const { line, id, agencyId } = entry;
    const earlier = lineOf.get(id);
    if (earlier === undefined) unique.push(entry);
    else problems.push(problemOf(line, `id is on line ${earlier} already.`));
    lineOf.set(ownCopy(id), earlier ?? line);
    if (!agencies.has(agencyId)) problems.push(problemOf(line, 'agency_id is not that of any agency.'));
  }
  if (unique.length > 0) {
    await applications.checkApplications(messageOf(unique)).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      problems.push(...lineProblemsOf(error, unique));
    });
  }
  return problems.sort((one, other) => one.line - other.line);
}

/** A part of a text keeps the whole text in memory: here the whole line would stay for its id. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

async function storeAll(file: FileHandle, options: ImportOptions & Checked): Promise<Imported> {
  const { clients, name, showProgress, stopping, lines, digests } = options;
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const expected = digests.values();
  let stored = 0;
  const howFar = () => `At least ${stored} of ${lines} applications are stored: import the file again for the rest.`;
  for await (const { entries, digest } of readBatches(file)) {
    if (digest !== expected.next().value) throw new CommandFailure(`${name} was changed meanwhile. ${howFar()}`);
    const answer = await clients.applications.upsertApplications(messageOf(entries)).catch((error: unknown) => {
      if (!isRefusal(error))
        throw new CommandFailure(`${howFar()} The next batch failed: ${describeFailure(error)}`, error);
      const problems = lineProblemsOf(error, entries).slice(0, MAX_PROBLEMS_SHOWN);
      throw new BadFile(
        `${name} has lines that someone else's change made bad meanwhile. ${howFar()}`,
        problems.map(({ text }) => text),
      );
    });
    counts.created += answer.created;
    counts.updated += answer.updated;
    counts.unchanged += answer.unchanged;
    stored += entries.length;
    showProgress(`${stored} of ${lines} applications stored`);
    if (stopping.aborted && stored < lines) {
      throw new Stopped(`stopped: ${stored} of ${lines} applications are stored; import the file again for the rest.`);
    }
  }
  if (stored < lines) throw new CommandFailure(`${name} was changed meanwhile. ${howFar()}`);
  return { ...counts, lines };
}

function messageOf(entries: readonly Entry[]) {
  return { applications: entries.map(({ application }) => application) };
}

function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'VALIDATION_FAILED';
}

/** The problems of a refused call, told by lines instead of places in the call. */
function lineProblemsOf(refusal: ServiceError, entries: readonly Entry[]): readonly LineProblem[] {
  return refusal.details.map((detail) => lineProblemOf(detail, entries));
}

/** The one that stands for those that had no room in the answer has no place: it is told last. */
function lineProblemOf({ param = '', message }: ErrorDetail, entries: readonly Entry[]): LineProblem {
  const [place = '', index = ''] = INDEX.exec(param) ?? [];
  const line = entries[Number(index)]?.line;
  if (place === '' || line === undefined) {
    const last = entries.at(-1)?.line ?? 0;
    return { line: last, text: `up to line ${last}: ${message}` };
  }
  const field = param.slice(place.length);
  const problem = message.replaceAll(place, '');
  return problemOf(line, problem.includes(field) ? problem.trim() : `${field}: ${problem}`);
}
