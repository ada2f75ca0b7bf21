import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainConnection } from './explain-connection.ts';

const REFUSED = 'TLS: the other side closes the connection after the handshake: it refuses our certificate';
const DEMANDED = 'no connection: the other side closes it at once, as one does that demands TLS';
const EXPIRED = '00:error:0A000086:SSL routines::certificate verify failed:certificate has expired';

const SAID: readonly (readonly [details: string, encrypted: string, inTheClear: string])[] = [
  ['No connection established. Last error: null. Resolution note: ', REFUSED, DEMANDED],
  ['No connection established. Last error: Failed to connect. Resolution note: ', REFUSED, DEMANDED],
  [
    'round_robin: No connection established. Last error: No connection established. Last error: null',
    REFUSED,
    DEMANDED,
  ],
  [
    'No connection established. Last error: connect ECONNREFUSED 127.0.0.1:9090. Resolution note: ',
    'no connection: connect ECONNREFUSED 127.0.0.1:9090',
    'no connection: connect ECONNREFUSED 127.0.0.1:9090',
  ],
  [
    `No connection established. Last error: ${EXPIRED}`,
    `TLS: the other side's certificate, or its authority's, has ended (${EXPIRED})`,
    `no connection: ${EXPIRED}`,
  ],
  ['Received RST_STREAM with code 8', 'Received RST_STREAM with code 8', 'Received RST_STREAM with code 8'],
];

for (const [details, encrypted, inTheClear] of SAID) {
  test(`"${details}" is told in words that say what to look at`, () => {
    assert.equal(explainConnection(details, { isEncrypted: true }), encrypted);
    assert.equal(explainConnection(details, { isEncrypted: false }), inTheClear);
  });
}
