import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useStack } from '../support/use-stack.ts';

type Report = {
  readonly passed: boolean;
  readonly quote_id: string;
  readonly steps: readonly { readonly step: string; readonly passed: boolean }[];
};

describe('pfq smoke against a running stack', () => {
  const { stack } = useStack();
  const pfq = async <T>(...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await stack().pfq(...args, '--json');
    assert.deepEqual([code, stderr], [0, ''], stdout);
    return JSON.parse(stdout);
  };
  /** By another name than its public one, as within a cluster. */
  const inside = (publicUrl: string) => publicUrl.replace('127.0.0.1', 'localhost');
  const smoke = () => {
    const { gateway_url: api, hosted_url: hosted } = stack().file;
    return pfq<Report>('smoke', '--api', inside(api), '--hosted', inside(hosted));
  };

  it('prices a quote in test mode, reads it and opens its page, with one agency and a key that is over after each run', async () => {
    const first = await smoke();
    const second = await smoke();
    assert.deepEqual(
      first.steps.map(({ step, passed }) => [step, passed]),
      ['prepare', 'authenticate', 'price', 'read', 'page', 'tidy'].map((step) => [step, true]),
    );
    assert.notEqual(second.quote_id, first.quote_id);
    const quote = await pfq<Record<string, unknown>>('quote', 'show', second.quote_id);
    assert.partialDeepStrictEqual(quote, { livemode: false, status: 'active' });
    const { data: agencies } = await pfq<{ data: { id: string; name: string }[] }>('agency', 'list');
    const own = agencies.filter(({ name }) => name === 'Smoke test');
    assert.deepEqual(
      own.map(({ id }) => id),
      [quote['agency_id']],
    );
    const { data: keys } = await pfq<{ data: { revoked_at: string | null }[] }>(
      'key',
      'list',
      '--agency',
      own[0]?.id ?? '',
    );
    assert.equal(keys.length, 2);
    assert.ok(keys.every(({ revoked_at: revokedAt }) => revokedAt !== null));
  });
});
