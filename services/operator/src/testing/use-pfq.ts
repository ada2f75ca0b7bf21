import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import { startFakeServices, type FakeServices } from './fake-services.ts';
import { runPfq, type Ran } from './run-pfq.ts';

export type PfqOfSuite = {
  readonly fake: () => FakeServices;
  /** Where commands are called from; one for all tests of the file. */
  readonly folder: () => string;
  readonly pfq: (...args: readonly string[]) => Promise<Ran>;
  /** Tells the command that is running to stop, where it listens. */
  readonly tellToStop: () => void;
};

/** The command in an empty folder, with fake services that are new for every test of the file. */
export function usePfq(): PfqOfSuite {
  let fake: FakeServices | undefined;
  let folder: string | undefined;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pfq-cli-'));
  });
  beforeEach(async () => {
    fake = await startFakeServices();
  });
  afterEach(() => fake?.stop());
  after(() => folder !== undefined && rm(folder, { recursive: true }));
  const listening = new Set<() => void>();
  const whenToldToStop = (stop: () => void) => {
    listening.add(stop);
    return () => void listening.delete(stop);
  };
  const scene = { fake: () => there(fake), folder: () => there(folder) };
  return {
    ...scene,
    pfq: (...args) => runPfq(scene.fake().connection, { args, folder: scene.folder(), whenToldToStop }),
    tellToStop: () => {
      for (const stop of listening) stop();
    },
  };
}

function there<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('no test is running');
  return thing;
}
