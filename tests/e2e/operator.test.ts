import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import { ServiceError } from '@pfq/kit/errors';
import { createRpcTransport } from '@pfq/kit/rpc/client';
import type { RpcTransport } from '@pfq/kit/rpc/client';
import { operatorHeaders } from '@pfq/kit/rpc/operator-credential';
import { fromWireError } from '@pfq/kit/rpc/status';
import { choosePorts, LOCAL_HOST } from '@pfq/local/ports';
import { apiOf, quoteOf } from '../support/api.ts';
import { exampleBody } from '../support/examples.ts';
import { failureOf } from '../support/failures.ts';
import { startStack, stackFolder } from '../support/stack.ts';
import type { RunningStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const GENERATED = path.resolve(import.meta.dirname, '../../proto/gen');
/** A request is kept a moment after it was answered. */
const KEPT_WITHIN_MS = 10_000;
/** gRPC's status of a method that a process does not serve. */
const UNIMPLEMENTED = 12;
const ME = 'the operator of this test';

describe('the operator of a running stack', () => {
  const { folder, remove } = stackFolder();
  let stack: RunningStack;
  let agencyId: string;
  let brokerId: string;
  let key: { readonly id: string; readonly key: string };

  before(async () => {
    stack = await startStack(folder, { PFQ_OPERATOR_NAME: ME });
    agencyId = (await pfq<{ id: string }>('agency', 'create', '--name', 'Caprock')).id;
    await pfq('agency', 'switch', agencyId, '--test', 'on');
    const person = ['--agency', agencyId, '--email', 'ana@caprock.example'];
    brokerId = (await pfq<{ id: string }>('broker', 'create', ...person, '--name', 'Ana')).id;
    const grants = ['--broker', 'ana@caprock.example', '--scopes', 'quotes:write,quotes:read', '--name', 'e2e'];
    key = await pfq('key', 'create', '--agency', agencyId, '--mode', 'test', '--type', 'agency', ...grants);
  });
  after(async () => {
    await stack?.stop();
    remove();
  });

  async function pfq<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await stack.pfq(...args, '--json');
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return JSON.parse(stdout);
  }

  async function keptRequest(id: string) {
    await until(async () => (await stack.pfq('request', 'show', id)).code === 0, KEPT_WITHIN_MS);
    return pfq<Record<string, unknown>>('request', 'show', id);
  }

  it('finds a request by its Request-Id, and from either end of a replay the other', async () => {
    const { post } = apiOf(stack.file.gateway_url, key.key);
    const once = { 'Idempotency-Key': 'operator-e2e' };
    const first = await post(exampleBody('roofing-contractor'), once);
    const again = await post(exampleBody('roofing-contractor'), once);
    const [firstId = '', againId = ''] = [first, again].map(({ headers }) => headers.get('request-id') ?? '');
    const replay = await keptRequest(againId);
    const original = await keptRequest(firstId);
    const shared = { method: 'POST', path: '/v1/quotes', route: '/v1/quotes', status: 201, error_code: null };
    const caller = { agency_id: agencyId, mode: 'test', key_id: key.id, has_idempotency_key: true };
    const { id: quoteId } = quoteOf(first);
    assert.partialDeepStrictEqual(original, {
      id: firstId,
      ...shared,
      ...caller,
      quote_id: quoteId,
      api_version: first.headers.get('service-version'),
      replay_of: null,
    });
    assert.partialDeepStrictEqual(replay, { id: againId, ...shared, ...caller, replay_of: firstId });
    assert.deepEqual(original['replays'], [{ id: againId, received_at: replay['received_at'] }]);
  });

  it('sets the counters of a key to zero, which its next request starts from', async () => {
    const { ask } = apiOf(stack.file.gateway_url, key.key);
    const remaining = async () => Number((await ask('GET', '/v1/whoami')).headers.get('ratelimit-remaining'));
    const full = await remaining();
    const had = await pfq<{ requests_this_minute: number }>('counters', 'reset', '--key', key.id);
    assert.ok(had.requests_this_minute <= 60);
    assert.ok((await remaining()) >= full);
    assert.deepEqual((await pfq<{ quotes_today: number }>('counters', 'reset', '--key', key.id)).quotes_today, 0);
  });

  it('sees who changed what in every service, in one list', async () => {
    await pfq('decline', 'add', 'issuer', 'Nobody Mutual');
    const { data } = await pfq<{ data: readonly Record<string, unknown>[] }>('audit', 'list', '--actor', ME);
    const done = data.map(({ service, actor, action, target }) => ({ service, actor, action, target }));
    const by = (service: string, action: string, target: string) => ({ service, actor: ME, action, target });
    for (const change of [
      by('gateway', 'agency.create', agencyId),
      by('gateway', 'agency.switch', agencyId),
      by('gateway', 'broker.register', brokerId),
      by('gateway', 'key.create', key.id),
      by('gateway', 'counters.reset', key.id),
      by('pricing', 'decline.add', 'declined list 1'),
    ]) {
      assert.ok(
        done.some((one) => JSON.stringify(one) === JSON.stringify(change)),
        `${change.action} is missing`,
      );
    }
    const all = await pfq<{ data: readonly Record<string, unknown>[] }>('audit', 'list', '--limit', '1000');
    assert.ok(all.data.some(({ service, action }) => service === 'application' && action === 'application.create'));
    const ofAgency = await pfq<{ data: readonly Record<string, unknown>[] }>('audit', 'list', '--agency', agencyId);
    const targets = new Set(ofAgency.data.map(({ target }) => target));
    assert.deepEqual(targets, new Set([agencyId, brokerId, key.id]));
  });

  it('is the only one whom any method of any admin service answers', async () => {
    const services = await adminServices();
    assert.ok(services.length >= 7);
    const transports = rpcTransports(stack);
    try {
      for (const service of services) {
        const servedBy = await Promise.all(transports.map((transport) => refusesStrangers(transport, service)));
        assert.ok(servedBy.includes(true), `${service.typeName} is served by nobody`);
      }
    } finally {
      for (const transport of transports) transport.close();
    }
  });
});

/** Every service of the protos that is the operator's alone, by its name. */
async function adminServices(): Promise<readonly DescService[]> {
  const modules = await Promise.all(
    globSync('**/*_pb.ts', { cwd: GENERATED }).map((file) => import(path.join(GENERATED, file))),
  );
  return modules.flatMap((module: object) => Object.values(module).filter(isAdminService));
}

function isAdminService(exported: unknown): exported is DescService {
  if (typeof exported !== 'object' || exported === null || !('kind' in exported) || !('name' in exported)) return false;
  return exported.kind === 'service' && String(exported.name).endsWith('AdminService');
}

/** To every process of the stack that serves RPCs. */
function rpcTransports({ file }: RunningStack): readonly RpcTransport[] {
  const ports = choosePorts({ PFQ_PORT_BASE: new URL(file.gateway_url).port });
  const { gatewayRpc, pricing, quoteStore, application, notification, hostedPageRpc } = ports;
  return [gatewayRpc, pricing, quoteStore, application, notification, hostedPageRpc].map((port) =>
    createRpcTransport(`grpc://${LOCAL_HOST}:${port}`, null),
  );
}

/** Whether the service is there, and then refuses each of its methods to whoever lacks the credential. */
async function refusesStrangers(transport: RpcTransport, service: DescService): Promise<boolean> {
  const credentials = [undefined, operatorHeaders({ token: 'a guess', actor: 'eve' })];
  const methods = service.methods.filter((method): method is DescMethodUnary => method.methodKind === 'unary');
  assert.equal(methods.length, service.methods.length);
  let isThere = false;
  for (const method of methods) {
    for (const headers of credentials) {
      const call = transport.unary(method, undefined, 5_000, headers, create(method.input), undefined);
      const failure = await failureOf(call);
      if (failure instanceof Error && 'code' in failure && failure.code === UNIMPLEMENTED) continue;
      isThere = true;
      const refusal = fromWireError(failure);
      const code = refusal instanceof ServiceError ? refusal.code : String(refusal);
      assert.equal(code, 'INVALID_API_KEY', `${service.typeName}.${method.name}`);
    }
  }
  return isThere;
}
