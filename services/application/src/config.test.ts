import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '@pfq/kit/config';
import { settings } from './config.ts';

const OPERATOR_TOKEN = 'operator-token-of-the-config-tests';

for (const url of [
  'postgres://u:p@db.example/application',
  'postgresql://db.example/application',
  'postgres:///application?host=/run/postgresql',
  'mongodb://db.example/application',
  'mongodb://u:p%2Fq@a.example:27017,b.example:27018,c.example/application?replicaSet=rs&authSource=admin',
  'mongodb+srv://u:p@cluster.example/application',
]) {
  test(`${url} names a store`, () => {
    assert.equal(readConfig(settings, { DATABASE_URL: url, OPERATOR_TOKEN }).databaseUrl, url);
  });
}

for (const url of [
  'mysql://db.example/application',
  'mongodb://',
  'mongodb://db.example',
  'mongodb://db.example/?a=b',
  'postgres://',
  'postgres://u:p@db.example',
  'postgresql:///application',
]) {
  test(`${url} names none`, () => {
    assert.throws(
      () => readConfig(settings, { DATABASE_URL: url, OPERATOR_TOKEN }),
      (error) =>
        error instanceof ConfigError && error.problems.length === 1 && error.message.startsWith('DATABASE_URL must '),
    );
  });
}
