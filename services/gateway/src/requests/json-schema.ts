/** The keywords of JSON Schema 2020-12 that requests and answers are described with. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: string | boolean;
  readonly enum?: readonly (string | null)[];
  /** Values known today of an enumeration that may grow. */
  readonly 'x-extensible-enum'?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
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
