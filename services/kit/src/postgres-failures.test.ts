import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { isLoginRefusal } from './postgres-failures.ts';

const fromServer = (code: string) => Object.assign(new pg.DatabaseError('no', 2, 'error'), { severity: 'FATAL', code });
const fromNode = (code: string) => Object.assign(new Error('no'), { code });

test('a login is refused where it would be again, and not where the server is away, starting, full or being replaced', () => {
  const cases = [
    ['wrong password', fromServer('28P01'), true],
    ['no such role, or no entry in pg_hba.conf', fromServer('28000'), true],
    ['no such database', fromServer('3D000'), true],
    ['no right to connect', fromServer('42501'), true],
    ['no password given', new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), true],
    ['no TLS there', new Error('The server does not support SSL connections'), true],
    ['unknown authority', fromNode('SELF_SIGNED_CERT_IN_CHAIN'), true],
    ['unknown issuer', fromNode('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), true],
    ['unknown certificate', fromNode('DEPTH_ZERO_SELF_SIGNED_CERT'), true],
    ['expired certificate', fromNode('CERT_HAS_EXPIRED'), true],
    ["another's certificate", fromNode('ERR_TLS_CERT_ALTNAME_INVALID'), true],
    ['nobody listens', fromNode('ECONNREFUSED'), false],
    ['no address yet', fromNode('ENOTFOUND'), false],
    ['nobody answers', new Error('timeout expired'), false],
    ['starting', fromServer('57P03'), false],
    ['shut down', fromServer('57P01'), false],
    ['too many connections', fromServer('53300'), false],
    ['taking no connections for the moment', fromServer('55000'), false],
  ] as const;
  for (const [what, error, isRefused] of cases) assert.equal(isLoginRefusal(error), isRefused, what);
});
