import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessWith } from '../running-gateway.test-support.ts';
import { chooseActingBroker } from './acting-broker.ts';

type Case = readonly [type: 'agency' | 'broker', isActive: boolean, named: string | null, outcome: string];

const ANA = 'Ana@Agency.example';
const BEN = { id: 'brk_ben', email: 'Ben@Agency.example', name: 'Ben Ortiz' };

const CASES: readonly Case[] = [
  ['agency', true, null, 'brk_ana'],
  ['agency', true, ANA, 'brk_ana'],
  ['agency', true, 'ana@AGENCY.example', 'brk_ana'],
  ['agency', true, 'ben@agency.example', 'brk_ben'],
  ['agency', true, 'nobody@agency.example', 'BROKER_NOT_ACTIVE'],
  ['agency', true, 'not an address', 'BROKER_NOT_ACTIVE'],
  ['agency', false, null, 'DEFAULT_BROKER_INACTIVE'],
  ['agency', false, ANA, 'BROKER_NOT_ACTIVE'],
  ['agency', false, 'ben@agency.example', 'brk_ben'],
  ['broker', true, null, 'brk_ana'],
  ['broker', true, 'ANA@agency.example', 'brk_ana'],
  ['broker', true, 'ben@agency.example', 'ACTING_BROKER_NOT_ALLOWED'],
  ['broker', true, 'nobody@agency.example', 'ACTING_BROKER_NOT_ALLOWED'],
  ['broker', false, null, 'DEFAULT_BROKER_INACTIVE'],
  ['broker', false, ANA, 'DEFAULT_BROKER_INACTIVE'],
  ['broker', false, 'ben@agency.example', 'ACTING_BROKER_NOT_ALLOWED'],
];

for (const [type, isActive, named, outcome] of CASES) {
  const whose = `${isActive ? 'an active' : 'an inactive'} default broker`;
  test(`a ${type} key with ${whose} that names ${named ?? 'nobody'}: ${outcome}`, async () => {
    const status = isActive ? 'active' : 'inactive';
    const access = accessWith({ type, defaultBroker: { id: 'brk_ana', email: ANA, name: 'Ana Ruiz', status } });
    const findActive = async (email: string) => (email.toLowerCase() === 'ben@agency.example' ? BEN : null);
    const choosing = chooseActingBroker(access, named, findActive);
    if (outcome.startsWith('brk_')) assert.equal((await choosing).id, outcome);
    else await assert.rejects(choosing, { code: outcome });
  });
}

test('a broker is named as registered, however the request spells the address', async () => {
  const broker = await chooseActingBroker(accessWith(), 'BEN@AGENCY.EXAMPLE', async () => BEN);
  assert.deepEqual(broker, BEN);
  const own = { id: 'brk_ana', email: ANA, name: 'Ana Ruiz' };
  assert.deepEqual(await chooseActingBroker(accessWith(), 'ANA@AGENCY.EXAMPLE', async () => null), own);
});
