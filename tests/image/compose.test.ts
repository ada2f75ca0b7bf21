import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { readConfig } from '../../services/kit/src/config.ts';
import { PROGRAM_SETTINGS } from '../support/program-settings.ts';
import { readText, ROOT } from '../tidy/sources.ts';

type Container = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
};

const MAKE_SECRETS = path.join(ROOT, 'deploy/compose/make-secrets.ts');
const SEED = 'deploy/compose/seed.ts';
const SECRETS = '/etc/pfq/secrets';
/** Of the volumes that hold them, by consumer. */
const PREFIX = 'secrets-';

const { services, volumes } = parse(readText('deploy/compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, null>>;
};
const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('${PFQ_IMAGE'));

describe('deploy/compose.yaml', () => {
  let folder: string;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'secrets-'));
    const consumers = Object.keys(volumes).filter((volume) => volume.startsWith(PREFIX));
    for (const volume of consumers) mkdirSync(path.join(folder, volume.slice(PREFIX.length)));
    await promisify(execFile)(process.execPath, [MAKE_SECRETS, folder]);
  });

  for (const [name, settings] of Object.entries(PROGRAM_SETTINGS)) {
    test(`${name} gets every setting that it needs, none that it does not know, and its secrets as files`, () => {
      const environment = services[name]?.environment ?? {};
      const known = new Set(Object.values(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`]));
      assert.deepEqual(
        Object.keys(environment).filter((variable) => !known.has(variable)),
        [],
      );
      assert.doesNotThrow(() => readConfig(settings, withSecretsOf(name, environment)));
    });
  }

  test('every service and every migration is a program of the image, and each program has its container', () => {
    const programs = globSync('services/*/src/{main,migrate}.ts', { cwd: ROOT, exclude: ['services/kit/**'] });
    const started = ours.flatMap(([, { command = [] }]) => command).filter((word) => word.startsWith('services/'));
    assert.deepEqual([...started, 'services/operator/src/main.ts'].sort(), programs.sort());
  });

  test('containers of the image cannot write to it or gain rights, and only those that fill volumes are root', () => {
    const loose = ours.filter(([, { read_only, cap_drop }]) => !read_only || !cap_drop?.includes('ALL'));
    const roots = ours.filter(([, { user }]) => user !== '65532:65532').map(([name]) => name);
    assert.deepEqual({ loose, roots }, { loose: [], roots: ['secrets', 'seed'] });
  });

  test('every image of others is pinned to an exact version', () => {
    const images = Object.values(services).map(({ image }) => image);
    const loose = images.filter(
      (image) => !/^\$\{PFQ_IMAGE:-pfq:\d+\.\d+\.\d+\}$|^[\w./-]+:v?\d+\.\d+(?:\.\d+)?$/.test(image),
    );
    assert.deepEqual(loose, []);
  });

  test('ports are open to this machine alone', () => {
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    assert.ok(ports.length > 0);
    assert.deepEqual(
      ports.filter((port) => !port.startsWith('127.0.0.1:')),
      [],
    );
  });

  test('every file that is mounted is there, and every volume is declared and used', () => {
    const sources = Object.values(services).flatMap(({ volumes: mounts = [] }) =>
      mounts.map((one) => one.split(':')[0] ?? ''),
    );
    const files = sources.filter((source) => source.startsWith('.'));
    const named = new Set(sources.filter((source) => !source.startsWith('.')));
    assert.deepEqual(
      files.filter((file) => !existsSync(path.join(ROOT, 'deploy', file))),
      [],
    );
    assert.deepEqual([...named].sort(), Object.keys(volumes).sort());
  });

  test('secrets are made once: another start finds them as they are', async () => {
    const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
    const read = () => files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
    const kept = read();
    await promisify(execFile)(process.execPath, [MAKE_SECRETS, folder]);
    assert.ok(kept.length > 0);
    assert.deepEqual(read(), kept);
  });

  test('the demo agency is made by a program that says in one line what it lacks', async () => {
    assert.deepEqual(services['seed']?.command, [SEED, '/demo']);
    const run = promisify(execFile)(process.execPath, [path.join(ROOT, SEED), folder], { env: {} });
    await assert.rejects(run, { code: 1, stderr: 'seed: PFQ_OPERATOR_GATEWAY_URL is not set\n' });
  });

  /** The environment with paths in the container turned into those of the files that were made for it. */
  function withSecretsOf(
    name: string,
    environment: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> {
    const mount = services[name]?.volumes?.find((one) => one.endsWith(`:${SECRETS}:ro`)) ?? '';
    const own = path.join(folder, mount.split(':')[0]?.replace(PREFIX, '') ?? '');
    return Object.fromEntries(
      Object.entries(environment).map(([variable, value]) => [variable, value.replace(SECRETS, own)]),
    );
  }
});
