import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '@pfq/local/problem';
import type { Commands, Said } from '../commands.ts';
import { tryWrongSettings } from './wrong-settings.ts';

/** A cluster on which nothing comes up, and that is stopped as soon as its events are looked at, while Helm still waits. */
function stoppedCluster(): Commands {
  const stopping = new AbortController();
  const stopped = new Problem('stopped');
  const nothing: Said = { code: 1, stdout: '', stderr: '' };
  return {
    namespace: 'none',
    async tryKubectl([verb]) {
      if (stopping.signal.aborted) throw stopped;
      if (verb === 'get') stopping.abort();
      return nothing;
    },
    tryHelm: async (args) =>
      // What a look into the cluster refuses is refused at once.
      args.includes('checks=false')
        ? new Promise((_, reject) => stopping.signal.addEventListener('abort', () => reject(stopped)))
        : nothing,
    kubectl: async () => '{ "items": [] }',
    helm: async () => '',
  };
}

test('who is stopped while Helm waits and a line is looked for fails in order, so that the namespace is removed', async () => {
  const scene = { commands: stoppedCluster(), image: 'pfq:0.1.0', say: () => {} };
  await assert.rejects(tryWrongSettings(scene), { message: 'stopped' });
});
