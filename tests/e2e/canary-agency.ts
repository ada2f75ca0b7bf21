import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SCOPES } from '@pfq/operator/words';
import type { Canaries } from '../support/canaries.ts';
import { sampleApplication } from '../support/sample-application.ts';
import { pfqOf } from '../support/pfq.ts';
import type { RunningStack } from '../support/stack.ts';

/** An agency in whose words there are canaries, and what its operator does with more of them. */
export type CanaryAgency = {
  /** A live key with every scope. */
  readonly key: string;
  /** Address of the broker whose key it is. */
  readonly owner: string;
  /** `pfq` cannot do it. */
  readonly fails: (what: 'broker' | 'key' | 'import') => Promise<void>;
  /** What an operator with another token is told. */
  readonly tryAs: (token: string) => Promise<string>;
};

export async function canaryAgency(stack: RunningStack, canaries: Canaries): Promise<CanaryAgency> {
  const pfq = pfqOf(stack);
  const run = async (...words: readonly string[]) => {
    const { code, output, errors } = await pfq(words);
    assert.equal(code, 0, errors);
    return JSON.parse(output);
  };
  const emailOf = (whose: string) => `${canaries.make(`email of ${whose}`)}@canary.example`;
  const { id } = await run('agency', 'create', '--name', canaries.make('name of an agency'));
  await run('agency', 'switch', id, '--live', 'on');
  const brokerWords = (email: string) =>
    ['broker', 'create', '--agency', id, '--email', email, '--name', canaries.make('name of a broker')] as const;
  const keyWords = (email: string) => [
    '--agency',
    id,
    '--mode',
    'live',
    '--type',
    'agency',
    '--broker',
    email,
    '--name',
    canaries.make('name of a key'),
  ];
  const owner = emailOf('a broker');
  await run(...brokerWords(owner));
  const { key } = await run('key', 'create', ...keyWords(owner), '--scopes', SCOPES.join());
  canaries.watch('key', key);

  const file = path.join(stack.folder, 'canaries.ndjson');
  const application = (changes: object) => ({
    ...withCanaries(canaries),
    agency_id: id,
    broker: { email: owner },
    ...changes,
  });
  const write = (...lines: readonly object[]) => {
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return file;
  };
  await run('applications', 'import', write(application({})));
  const bad = { status: canaries.make('status'), portal_url: canaries.make('portal address') };
  assert.notEqual((await pfq(['applications', 'import', write(application(bad))])).code, 0);

  return {
    key,
    owner,
    async fails(what) {
      const words = {
        broker: () => brokerWords(emailOf('a lost broker')),
        key: () => ['key', 'create', ...keyWords(owner), '--scopes', SCOPES.join()],
        import: () => ['applications', 'import', write(application({ id: 'app_0000000000000000000002' }))],
      }[what]();
      assert.notEqual((await pfq(words)).code, 0);
    },
    async tryAs(token) {
      const { code, errors } = await pfq(['agency', 'list'], token);
      assert.notEqual(code, 0);
      return errors;
    },
  };
}

/** A public application with a canary in each text that people write. */
function withCanaries({ make }: Canaries) {
  const sample = sampleApplication();
  return {
    ...sample,
    insured: {
      name: make('application: name of the insured'),
      address: {
        line1: make('application: line1'),
        city: make('application: city'),
        state: 'TX',
        postal_code: make('application: postal_code'),
      },
    },
    policies: sample.policies.map((policy) => ({
      ...policy,
      carrier: { ...policy.carrier, name: make('application: carrier') },
      policy_number: make('application: policy_number'),
    })),
    requirements: {
      blocking: sample.requirements.blocking.map((item) => ({
        ...item,
        description: make('application: description'),
      })),
      outstanding: [],
    },
    client_reference_id: make('application: client_reference_id'),
    metadata: { [make('application: metadata name')]: make('application: metadata value') },
  };
}
