import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '@pfq/gateway/openapi/document';
import type { Schema } from '@pfq/gateway/openapi/document-types';

export const DOCUMENT = openApiDocument({ serverUrl: '/', docsUrl: 'https://docs.example' });

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) ajv.addSchema(strictly(schema), name);
const validators = new Map<Schema, ValidateFunction>();

/** How a value breaks a schema of the OpenAPI document, a line each; what may grow later must be as it is today. */
export function violationsOf(schema: Schema, value: unknown, what: string): readonly string[] {
  const validate = validators.get(schema) ?? ajv.compile(strictly(schema));
  validators.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${what}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** A schema as of today: what may grow is closed, and other schemas are referred to by name. */
function strictly(schema: Schema): Schema {
  const { $ref, properties, additionalProperties, items, anyOf, 'x-extensible-enum': known, ...rest } = schema;
  const isNullable = [schema.type].flat().includes('null');
  return {
    ...rest,
    ...($ref !== undefined && { $ref: $ref.replace('#/components/schemas/', '') }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strictly(one)])),
      additionalProperties: false,
    }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...(items && { items: strictly(items) }),
    ...(anyOf && { anyOf: anyOf.map(strictly) }),
    ...(known && { enum: isNullable ? [...known, null] : known }),
  };
}
