import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTest, packageOf, resolveImport, SOURCES, type Source, workspaceOf } from './sources.ts';

/** Packages that talk to a server of some kind: each stays behind the storage rooms or its one file of the kit. */
const DRIVERS: Readonly<Record<string, readonly string[]>> = {
  pg: ['services/kit/src/postgres.ts', 'services/kit/src/postgres-failures.ts'],
  'node-pg-migrate': ['services/kit/src/migrate.ts'],
  'graphile-worker': ['services/kit/src/jobs.ts'],
  mongodb: ['services/kit/src/mongo.ts'],
  kafkajs: ['services/kit/src/events.ts'],
  nodemailer: ['services/kit/src/mail.ts'],
};

/** Files of the kit that do no I/O, read no clock and know no wire: what the domain is made of too. */
const PURE_KIT = ['money', 'ids', 'errors', 'problems', 'texts', 'calendar-date', 'email-address'];

const PROCESS_SEEN: readonly (readonly [string, boolean])[] = [
  ['const url = process.env.DATABASE_URL;', true],
  ['const { argv, env } = process;', true],
  ['await runService(process, { start });', true],
  ['await run({ process, start });', true],
  ['process.exitCode = 1;', true],
  ['const { env } = globalThis.process;', true],
  ["observe('process.cpu.time', read);", false],
  ["unit: '{process}',", false],
  ['return inSpan(`process ${topic}`, work);', false],
  ["throw new Error('another process is sending this email');", false],
];

const isProgram = ({ file }: Source) => !isTest(file);

describe('who may know whom', () => {
  holds('the domain knows only the domain, the pure part of the kit and decimal.js', {
    of: ({ file }) => roomOf(file) === 'domain',
    allowed: ({ file, specifier }) =>
      isOwn(file, specifier, ['domain']) || isKit(specifier, PURE_KIT) || specifier === 'decimal.js',
  });

  holds('requests are read with nothing but the pure part of the kit, its JSON and a spelling distance', {
    of: ({ file }) => roomOf(file) === 'requests',
    allowed: ({ file, specifier }) =>
      isOwn(file, specifier, ['requests']) ||
      isKit(specifier, [...PURE_KIT, 'json']) ||
      specifier === 'fastest-levenshtein' ||
      isRequestOfPage(file, specifier),
  });

  holds('the documentation knows the OpenAPI document, which knows nothing of it', {
    of: ({ file }) => roomOf(file) === 'openapi',
    allowed: ({ file, specifier }) => !isOwn(file, specifier, ['docs']),
  });

  holds('storage knows the domain, the kit and its driver', {
    of: ({ file }) => roomOf(file) === 'storage',
    allowed: ({ file, specifier }) =>
      isOwn(file, specifier, ['domain', 'storage']) ||
      specifier.startsWith('@pfq/kit/') ||
      specifier.startsWith('node:') ||
      specifier in DRIVERS,
  });

  holds('RPCs, routes, consumers and jobs know storage by its interfaces, never by its engine', {
    of: ({ file }) => ['rpc', 'routes', 'consumer', 'events', 'jobs', 'publishing'].includes(roomOf(file)),
    allowed: ({ file, specifier }) => {
      const target = resolveImport(file, specifier);
      return target === null || roomOf(target) !== 'storage' || !isEngine(target);
    },
  });

  holds('no driver is imported outside storage and its one file of the kit', {
    of: isProgram,
    allowed: ({ file, specifier }) => {
      const homes = DRIVERS[packageOf(specifier) ?? ''];
      return homes === undefined || homes.includes(file) || roomOf(file) === 'storage';
    },
  });

  holds('no service knows another, not even in its tests, and the kit knows none', {
    of: ({ file }) => file.startsWith('services/'),
    allowed: ({ file, specifier }) => {
      const target = resolveImport(file, specifier);
      const other = target === null ? '' : workspaceOf(target);
      return other === workspaceOf(file) || !other.startsWith('services/') || other === 'services/kit';
    },
  });

  holds('only tests reach from a service or the protos into deploy or tests', {
    of: (source) => isProgram(source) && /^(services|proto)\//.test(source.file),
    allowed: ({ file, specifier }) => !/^(deploy|tests)\//.test(resolveImport(file, specifier) ?? ''),
  });

  holds('the protos know nothing but the code that is generated from them', {
    of: (source) => isProgram(source) && source.file.startsWith('proto/'),
    allowed: ({ file, specifier }) =>
      specifier.startsWith('node:') ||
      specifier.startsWith('@bufbuild/') ||
      resolveImport(file, specifier)?.startsWith('proto/') === true,
  });

  test('the process is seen by programs alone, which hand on what others need of it', () => {
    const seers = SOURCES.filter((source) => isProgram(source) && !maySeeProcess(source.file) && seesProcess(source));
    assert.deepEqual(
      seers.map(({ file }) => file),
      [],
    );
  });

  for (const [code, isSeen] of PROCESS_SEEN) {
    test(`the rule ${isSeen ? 'finds the process in' : 'passes over'}: ${code}`, () => {
      assert.equal(seesProcess({ code, imports: [] }), isSeen);
    });
  }
});

type Import = { readonly file: string; readonly specifier: string };

/** One rule: every import in the files that `of` selects must be `allowed`. */
function holds(
  promise: string,
  { of, allowed }: { of: (source: Source) => boolean; allowed: (one: Import) => boolean },
): void {
  test(promise, () => {
    const all = SOURCES.filter(of).flatMap(({ file, imports }) => imports.map((specifier) => ({ file, specifier })));
    assert.ok(all.length > 0, 'the rule finds something to judge');
    const broken = all.filter((one) => !allowed(one)).map(({ file, specifier }) => `${file} imports ${specifier}`);
    assert.deepEqual(broken, []);
  });
}

/** `domain` of `services/pricing/src/domain/deal.ts`, `rpc` of `services/quote-store/src/rpc.ts`; empty elsewhere. */
function roomOf(file: string): string {
  if (isTest(file)) return '';
  return /^services\/(?!kit|operator)[^/]+\/src\/([a-z-]+)(?:\/|\.ts$)/.exec(file)?.[1] ?? '';
}

function isOwn(file: string, specifier: string, rooms: readonly string[]): boolean {
  const target = resolveImport(file, specifier);
  return target !== null && workspaceOf(target) === workspaceOf(file) && rooms.includes(roomOf(target));
}

function isKit(specifier: string, names: readonly string[]): boolean {
  return names.some((name) => specifier === `@pfq/kit/${name}`);
}

/** The hosted page's requests are read from HTTP itself: headers, forms, and which of its languages is asked for. */
function isRequestOfPage(file: string, specifier: string): boolean {
  if (!file.startsWith('services/hosted-page/')) return false;
  return ['express', 'node:http', 'node:net'].includes(specifier) || isOwn(file, specifier, ['words']);
}

function isEngine(file: string): boolean {
  const source = SOURCES.find((one) => one.file === file);
  const engines = new Set(Object.values(DRIVERS).flat());
  return (source?.imports ?? []).some(
    (specifier) => specifier in DRIVERS || engines.has(resolveImport(file, specifier) ?? ''),
  );
}

/** The kit's runners are handed the process by every main.ts and migrate.ts, and what it uses is measured in one place. */
function maySeeProcess(file: string): boolean {
  const isProgramOfService = /^services\/[^/]+\/(?:src\/(?:main|migrate|back-up|restore)\.ts|bin\/)/.test(file);
  const isOfKit = /^services\/kit\/src\/(?:run-service|run-migration|telemetry\/process-metrics)\.ts$/.test(file);
  // deploy is the operator's side of the environment, and what generates code runs on the developer's.
  return isProgramOfService || isOfKit || file.startsWith('deploy/') || file === 'proto/generate.ts';
}

/** Read from, taken apart, handed on or imported: everything but a word in a text. */
function seesProcess({ code, imports }: Pick<Source, 'code' | 'imports'>): boolean {
  const uses = [
    /(?<![\w.'"`-])process\??\.\w/,
    /=\s*process\b/,
    /(?<!['"`])[([{,]\s*process\s*[)\]},]/,
    /\bglobalThis\b.*\bprocess\b/,
  ];
  return uses.some((use) => use.test(code)) || imports.some((one) => /^(?:node:)?process$/.test(one));
}
