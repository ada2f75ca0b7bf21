import { ServiceError, type ErrorDetail } from '@pfq/kit/errors';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { sampleApplication } from '../../../../tests/support/sample-application.ts';
import { usePfq } from '../testing/use-pfq.ts';

const { fake, folder, pfq, tellToStop } = usePfq();

const idOf = (number: number) => `app_${String(number).padStart(22, '0')}`;

function lineOf(number: number, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify(sampleApplication({ id: idOf(number), ...changes }));
}

/** Imports a file of these lines for an agency that is known. */
async function importLines(lines: readonly string[], ...options: readonly string[]) {
  await writeFile(path.join(folder(), 'file'), lines.join('\n'));
  await pfq('agency', 'create', '--name', 'Lone Star');
  fake().state.calls.length = 0;
  return pfq('applications', 'import', 'file', ...options);
}

const methods = () => fake().state.calls.map(({ method }) => method);

test('a file is stored whole, and what was new, changed or known already is counted', async () => {
  const lines = [lineOf(1), lineOf(2)];
  const first = await importLines(lines, '--json');
  assert.deepEqual([first.exitCode, first.errors], [0, '']);
  assert.deepEqual(JSON.parse(first.output), { created: 2, updated: 0, unchanged: 0, lines: 2 });
  assert.deepEqual(methods(), ['ListAgencies', 'CheckApplications', 'UpsertApplications']);
  assert.equal(fake().state.applications.get(idOf(2))?.application?.status, 'pending_activation');

  const second = await importLines([...lines, lineOf(3), lineOf(2, { status: 'active' })].toSpliced(1, 1));
  assert.equal(second.output, 'created    1\nupdated    1\nunchanged  1\nlines      3\n');
  assert.equal(fake().state.applications.get(idOf(2))?.application?.status, 'active');
});

test('blank lines, carriage returns, a byte order mark and a missing last line feed are all fine', async () => {
  const { output } = await importLines([`\u{FEFF}\r`, ` ${lineOf(1)}\r`, ' \t\r', '', lineOf(2)], '--json');
  assert.deepEqual(JSON.parse(output), { created: 2, updated: 0, unchanged: 0, lines: 2 });
});

test('a file is checked and stored in batches of 500 lines and 2 MB, and all of it checked before any is stored', async () => {
  const sizes: number[] = [];
  fake().state.findProblems = (applications) => {
    sizes.push(applications.length);
    return [];
  };
  const many = await importLines(Array.from({ length: 1_001 }, (_, index) => lineOf(index)));
  assert.deepEqual([many.exitCode, sizes], [0, [500, 500, 1, 500, 500, 1]]);
  assert.deepEqual(methods().slice(1), [...Array(3).fill('CheckApplications'), ...Array(3).fill('UpsertApplications')]);
  assert.deepEqual(many.progress, [
    '500 applications checked',
    '1000 applications checked',
    '1001 applications checked',
    '500 of 1001 applications stored',
    '1000 of 1001 applications stored',
    '1001 of 1001 applications stored',
    '',
  ]);

  sizes.length = 0;
  const portal_url = `https://portal.example/${'a'.repeat(900_000)}`;
  await importLines([1, 2, 3, 4, 5].map((number) => lineOf(number, { portal_url })));
  assert.deepEqual(sizes, [2, 2, 1, 2, 2, 1]);
});

test('every bad line is told with its number, in order, and nothing is stored', async () => {
  fake().state.findProblems = (applications) =>
    applications.flatMap(({ application }, index): ErrorDetail[] => {
      if (application?.status !== 'sold') return [];
      const param = `applications[${index}].status`;
      return [
        { code: 'INVALID_VALUE', param, message: `${param} must be one of processing, active; "sold" was sent.` },
      ];
    });
  const lines = [
    lineOf(1),
    '{"id":',
    lineOf(3, { status: 'sold' }),
    '',
    lineOf(5, { statu: 'active' }),
    lineOf(1),
    lineOf(7, { agency_id: 'agy_0000000000000000000009', status: 'sold' }),
  ];
  const { exitCode, output, errors } = await importLines(lines);
  assert.deepEqual([exitCode, output], [1, '']);
  const known = Object.keys(sampleApplication()).join(', ');
  assert.equal(
    errors,
    [
      'pfq: file has bad lines. Nothing was loaded.',
      'line 2: it is not valid JSON at character 7: a value was expected, the end of the text was found.',
      'line 3: status must be one of processing, active; "sold" was sent.',
      `line 5: statu is not known here, where there are ${known}.`,
      'line 6: id is on line 1 already.',
      'line 7: agency_id is not that of any agency.',
      'line 7: status must be one of processing, active; "sold" was sent.',
      '',
    ]
      .join('\n  ')
      .trimEnd() + '\n',
  );
  assert.ok(!methods().includes('UpsertApplications'));
});

test('of very many bad lines the first twenty are told, and how many more there are', async () => {
  const { errors } = await importLines(Array.from({ length: 1_200 }, () => 'x'));
  const lines = errors.trimEnd().split('\n');
  assert.equal(lines.length, 22);
  assert.match(lines[20] ?? '', /^ {2}line 20: /);
  assert.equal(lines[21], '  and 1180 more');
});

test('problems that the application service had no room for are told under the last line they can be on', async () => {
  fake().state.findProblems = () => [{ code: 'TOO_MANY', message: 'And 7 more.' }];
  const { errors } = await importLines([lineOf(1), '', lineOf(2)]);
  assert.equal(errors, 'pfq: file has bad lines. Nothing was loaded.\n  up to line 3: And 7 more.\n');
});

test('a line that is far too long is told, and the lines after it are checked too', async () => {
  const { errors } = await importLines([`"${'x'.repeat(3_000_000)}"`, 'y']);
  assert.match(errors, /\n {2}line 1: it is longer than 1048576 bytes\.\n {2}line 2: it is not valid JSON/);
});

for (const lines of [[], ['', ' \r', '']]) {
  test(`a file of ${lines.length} blank lines is refused`, async () => {
    const { exitCode, errors } = await importLines(lines);
    assert.deepEqual([exitCode, errors], [1, 'pfq: file names no application.\n']);
  });
}

test('what cannot be read twice is refused before anything is asked', async () => {
  await mkdir(path.join(folder(), 'inbox'), { recursive: true });
  for (const [file, reason] of [
    ['nowhere', /nowhere cannot be read: there is no such file\.$/],
    ['inbox', /inbox cannot be read: it is a folder\.$/],
    ['/dev/null', /\/dev\/null cannot be read: it must be a file, which can be read twice\.$/],
  ] as const) {
    const { exitCode, errors } = await pfq('applications', 'import', file);
    assert.equal(exitCode, 1);
    assert.match(errors.trimEnd(), reason);
  }
  assert.deepEqual(fake().state.calls, []);
});

test('a failure while storing says how far it came, and importing the file again stores the rest', async () => {
  const lines = Array.from({ length: 600 }, (_, index) => lineOf(index));
  let calls = 0;
  fake().state.findProblems = (_, method) => {
    calls += method === 'UpsertApplications' ? 1 : 0;
    if (calls === 2) throw new ServiceError('SERVICE_UNAVAILABLE', { message: 'Try later.' });
    return [];
  };
  const failed = await importLines(lines);
  assert.equal(failed.exitCode, 1);
  const howFar = 'At least 500 of 600 applications are stored: import the file again for the rest.';
  const line = `${howFar} The next batch failed: Try later.`;
  assert.equal(failed.errors, `pfq: ${line} (request ${fake().state.requestIds.at(-1)})\n`);
  fake().state.findProblems = () => [];
  const { output } = await importLines(lines, '--json');
  assert.deepEqual(JSON.parse(output), { created: 100, updated: 0, unchanged: 500, lines: 600 });
});

test('told to stop, it ends with the batch under way and says how far it came, and the rest is imported later', async () => {
  const lines = Array.from({ length: 1_100 }, (_, index) => lineOf(index));
  fake().state.findProblems = (_, method) => {
    if (method === 'UpsertApplications') tellToStop();
    return [];
  };
  const stopped = await importLines(lines);
  assert.deepEqual([stopped.exitCode, stopped.output], [130, '']);
  assert.equal(
    stopped.errors,
    'pfq: stopped: 500 of 1100 applications are stored; import the file again for the rest.\n',
  );
  assert.equal(fake().state.applications.size, 500);
  assert.ok(stopped.progress.includes('stopping after the batch under way'));
  fake().state.findProblems = () => [];
  const { output } = await importLines(lines.slice(0, 600), '--json');
  assert.deepEqual(JSON.parse(output), { created: 100, updated: 0, unchanged: 500, lines: 600 });
});

test('told to stop while it checks, it has stored nothing; told so with the last batch, it is done', async () => {
  const stopAt = (wanted: string) => {
    fake().state.findProblems = (_, method) => {
      if (method === wanted) tellToStop();
      return [];
    };
  };
  stopAt('CheckApplications');
  const { exitCode, errors } = await importLines([lineOf(1)]);
  assert.deepEqual([exitCode, errors], [130, 'pfq: stopped while checking: nothing was stored.\n']);
  assert.ok(!methods().includes('UpsertApplications'));
  stopAt('UpsertApplications');
  assert.equal((await importLines([lineOf(1)])).exitCode, 0);
});

test('lines that went bad between checking and storing are told with their numbers', async () => {
  fake().state.findProblems = (_, method) =>
    method === 'CheckApplications'
      ? []
      : [{ code: 'INVALID_VALUE', param: 'applications[1].id', message: 'applications[1].id is of another agency.' }];
  const { errors } = await importLines([lineOf(1), lineOf(2)]);
  assert.match(
    errors,
    /someone else's change made bad meanwhile\. At least 0 of 2 .*\n {2}line 2: id is of another agency\.\n$/,
  );
});

for (const [how, after] of [
  ['gets another line', [lineOf(1), lineOf(2)]],
  ['gets another value', [lineOf(1, { status: 'active' })]],
  ['is emptied', []],
] as const) {
  test(`nothing is stored of a file that ${how} after it was checked`, async () => {
    fake().state.findProblems = () => {
      writeFileSync(path.join(folder(), 'file'), after.join('\n'));
      return [];
    };
    const { exitCode, errors } = await importLines([lineOf(1)]);
    assert.equal(exitCode, 1);
    assert.match(errors, /^pfq: file was changed meanwhile\. At least 0 of 1 applications are stored: /);
    assert.ok(!methods().includes('UpsertApplications'));
  });
}
