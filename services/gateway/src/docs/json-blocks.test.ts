import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../openapi/document.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../docs/api');
const FENCE = /^```json ?(\w*)\n([\s\S]*?)^```$/gm;

const openApi = openApiDocument({ serverUrl: '/', docsUrl: 'https://docs.example' });
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openApi, 'openapi');

for (const file of globSync('*.md', { cwd: FOLDER }).sort()) {
  const source = readFileSync(path.join(FOLDER, file), 'utf8').replaceAll('{{docs_url}}', 'https://docs.example');
  const blocks = [...source.matchAll(FENCE)].map(([, schema = '', code = '']) => ({ schema, code }));
  const shapes = blocks.filter(({ schema }) => schema !== 'answer');
  if (shapes.length === 0) continue;
  test(`the JSON that ${file} shows beside answers is what the OpenAPI document says of it`, () => {
    for (const { schema, code } of shapes) {
      assert.ok(schema in openApi.components.schemas, `a block names ${schema || 'no schema'}`);
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${schema}` });
      validate(JSON.parse(code));
      assert.deepEqual(validate.errors, null, schema);
    }
  });
}
