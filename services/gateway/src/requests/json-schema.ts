/** The keywords of JSON Schema 2020-12 that requests need. */
export type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
};

/** The same schema, for a field that may also be null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return {
    ...schema,
    type: [...types, 'null'],
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }),
  };
}

/** The same schema of a string with an enum or a pattern, for a field that may also be empty. */
export function orEmpty(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.enum === undefined ? {} : { enum: [...schema.enum, ''] }),
    ...(schema.pattern === undefined ? {} : { pattern: `^$|${schema.pattern}` }),
  };
}
