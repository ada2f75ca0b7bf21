import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { findConnection } from './connection.ts';

const OPERATOR = {
  gateway_url: 'grpc://127.0.0.1:1',
  pricing_url: 'grpc://127.0.0.1:2',
  application_url: 'grpc://127.0.0.1:3',
  notification_url: 'grpc://127.0.0.1:4',
  token: 'local',
};
const LOCAL = {
  gatewayUrl: 'grpc://127.0.0.1:1',
  pricingUrl: 'grpc://127.0.0.1:2',
  applicationUrl: 'grpc://127.0.0.1:3',
  notificationUrl: 'grpc://127.0.0.1:4',
  token: 'local',
  tlsDir: null,
};
const ENVIRONMENT = {
  PFQ_OPERATOR_GATEWAY_URL: 'grpc://gateway:9000',
  PFQ_OPERATOR_PRICING_URL: 'grpc://pricing:9000',
  PFQ_OPERATOR_APPLICATION_URL: 'grpc://application:9000',
  PFQ_OPERATOR_NOTIFICATION_URL: 'grpc://notification:9000',
  PFQ_OPERATOR_TOKEN: 'far',
};

let folder: string;
let deep: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pfq-connection-'));
  deep = path.join(folder, 'one/two');
  await mkdir(deep, { recursive: true });
  await mkdir(path.join(folder, '.local'));
  await writeFile(path.join(folder, '.local/stack.json'), JSON.stringify({ operator: OPERATOR }));
  await mkdir(path.join(folder, 'second'));
  await writeFile(path.join(folder, 'second/stack.json'), JSON.stringify({ operator: { ...OPERATOR, token: 'two' } }));
  await mkdir(path.join(folder, 'damaged'));
  await writeFile(path.join(folder, 'damaged/stack.json'), '{"operator":{}}');
  await mkdir(path.join(folder, 'older'));
  const { notification_url: _, ...older } = OPERATOR;
  await writeFile(path.join(folder, 'older/stack.json'), JSON.stringify({ operator: older }));
});

after(() => rm(folder, { recursive: true }));

const find = (environment: Record<string, string>, workingFolder = deep) =>
  findConnection({ environment, workingFolder, projectFolder: folder });

test('the local stack is the nearest one upwards', async () => {
  assert.deepEqual(await find({}), LOCAL);
});

test("PFQ_LOCAL_DIR names another local stack, counted from the project's folder", async () => {
  assert.deepEqual(await find({ PFQ_LOCAL_DIR: 'second' }), { ...LOCAL, token: 'two' });
});

test('the environment wins over a local stack', async () => {
  assert.deepEqual(await find(ENVIRONMENT), {
    gatewayUrl: 'grpc://gateway:9000',
    pricingUrl: 'grpc://pricing:9000',
    applicationUrl: 'grpc://application:9000',
    notificationUrl: 'grpc://notification:9000',
    token: 'far',
    tlsDir: null,
  });
});

test('the environment is never mixed with a local stack: what it lacks is named', async () => {
  await assert.rejects(find({ PFQ_OPERATOR_TOKEN: 'far' }), {
    name: 'ConfigError',
    message:
      /PFQ_OPERATOR_GATEWAY_URL is not set.*\n.*PFQ_OPERATOR_PRICING_URL is not set.*\n.*PFQ_OPERATOR_APPLICATION_URL is not set.*\n.*PFQ_OPERATOR_NOTIFICATION_URL is not set/,
  });
});

const REFUSED: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  [
    'no address',
    { ...ENVIRONMENT, PFQ_OPERATOR_PRICING_URL: 'pricing:9000' },
    /PFQ_OPERATOR_PRICING_URL must be a URL/,
  ],
  [
    'a folder without certificates',
    { ...ENVIRONMENT, PFQ_OPERATOR_TLS_DIR: '/nowhere' },
    /PFQ_OPERATOR_TLS_DIR names a folder in which a file cannot be read: \/nowhere\/tls\.crt \(ENOENT\)/,
  ],
  ['a folder without a stack', { PFQ_LOCAL_DIR: 'one' }, /^no local stack in .*one: run `npm start`, or set /],
  ['a stack without an operator', { PFQ_LOCAL_DIR: 'damaged' }, /stack\.json does not say where every service is/],
  [
    'a stack that older code wrote',
    { PFQ_LOCAL_DIR: 'older' },
    /stack\.json does not say where every service is, as if an older version had written it: stop the stack, then run `npm start`\.$/,
  ],
];

for (const [what, environment, message] of REFUSED) {
  test(`${what} is refused in one line`, async () => {
    await assert.rejects(find(environment), { message });
  });
}

test('where there is no stack at all, the line says how to get one', async () => {
  await assert.rejects(find({}, tmpdir()), { message: /^no local stack was found here: run `npm start`, or set / });
});
