import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { ApplicationSchema } from '@pfq/proto/application/v1/application_pb';
import fc from 'fast-check';
import { anyApplication } from '../samples.test-support.ts';
import { toMessage } from './write-application.ts';

test('an application takes less in a message than as JSON, by which its length is judged', () => {
  fc.assert(
    fc.property(anyApplication, (application) => {
      const message = toBinary(ApplicationSchema, create(ApplicationSchema, toMessage(application)));
      assert.ok(message.length < Buffer.byteLength(JSON.stringify(application)));
    }),
  );
});
