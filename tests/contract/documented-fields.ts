import { openApiDocument } from '@pfq/gateway/openapi/document';
import type { Operation, Parameter, Ref, Response, Schema } from '@pfq/gateway/openapi/document-types';

export type Field = { readonly path: string; readonly schema: Schema; readonly isRequired: boolean };

const { components, paths } = openApiDocument({ serverUrl: '/', docsUrl: 'https://docs.example' });
const BEARER = Object.values(components.securitySchemes).some(({ scheme }) => scheme === 'bearer');

/** Every operation by its method and path, such as `POST /v1/quotes`. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
);

/** What an operation reads from path, query and body, the members of its body at any depth. */
export function fieldsSentTo(operation: Operation): readonly Field[] {
  const values = parametersOf(operation).filter((parameter) => parameter.in !== 'header');
  const body = operation.requestBody?.content['application/json'].schema;
  return [...values.map(toField), ...(body ? fieldsBelow(body) : [])];
}

export function headersSentTo(operation: Operation): readonly Field[] {
  const text = { schema: { type: 'string' }, isRequired: true };
  return [
    ...(BEARER ? [{ path: 'Authorization', ...text }] : []),
    ...(operation.requestBody ? [{ path: 'Content-Type', ...text }] : []),
    ...parametersOf(operation)
      .filter((parameter) => parameter.in === 'header')
      .map(toField),
  ];
}

/** Every answer of an operation, refusals too. */
export function answersOf({ responses }: Operation): readonly Response[] {
  return Object.values(responses).map((given) => resolve(given, components.responses));
}

/** A schema of the document by its name. */
export function schemaNamed(name: string): Schema {
  const schema = components.schemas[name];
  if (schema === undefined) throw new Error(`there is no schema ${name}`);
  return schema;
}

/** The name of the schema that a reference leads to. */
export function nameIn(reference: string): string {
  return reference.replace(/^.*\//, '');
}

/** Everything below a schema: the member `policies`, its items `policies[]`, their member `policies[].carrier` and so on. */
export function fieldsBelow(
  { $ref, anyOf = [], properties = {}, items, required = [] }: Schema,
  at = '',
): readonly Field[] {
  const start = at === '' ? '' : `${at}.`;
  return [
    ...($ref === undefined ? [] : fieldsBelow(schemaNamed(nameIn($ref)), at)),
    ...anyOf.flatMap((one) => fieldsBelow(one, at)),
    ...Object.entries(properties).flatMap(([name, schema]) => [
      { path: start + name, schema, isRequired: required.includes(name) },
      ...fieldsBelow(schema, start + name),
    ]),
    ...(items ? [{ path: `${at}[]`, schema: items, isRequired: false }, ...fieldsBelow(items, `${at}[]`)] : []),
  ];
}

/** The limit of a field in words; null where it has none. */
export function limitOf(schema: Schema): string | null {
  const { minLength, maxLength, minItems, maxItems, maxProperties, minimum, maximum, default: usual } = schema;
  const upTo = (least: number | undefined, most: number) => (least === undefined ? `${most}` : `${least} to ${most}`);
  if (maxLength !== undefined) return `${upTo(minLength, maxLength)} characters`;
  if (maxItems !== undefined) return `${upTo(minItems, maxItems)} items`;
  if (maximum !== undefined) return upTo(minimum, maximum) + (usual === undefined ? '' : `, ${usual} where absent`);
  if (maxProperties === undefined || !schema.propertyNames || !schema.additionalProperties) return null;
  const [name, value] = [schema.propertyNames, schema.additionalProperties].map(limitOf);
  return `${maxProperties} pairs, names of ${name}, values of ${value}`;
}

function parametersOf({ parameters }: Operation): readonly Parameter[] {
  return parameters.map((given) => resolve(given, components.parameters));
}

function toField({ name: path, schema, required: isRequired }: Parameter): Field {
  return { path, schema, isRequired };
}

function resolve<T extends Parameter | Response>(given: T | Ref, among: Readonly<Record<string, T>>): T {
  if (!('$ref' in given)) return given;
  const found = among[nameIn(given.$ref)];
  if (found === undefined) throw new Error(`${given.$ref} leads nowhere`);
  return found;
}
