import type { MediaType, OpenApiDocument, Operation, Ref, Response, Schema } from '../openapi/document-types.ts';
import { markdownWithoutHtml } from './escape.ts';
import { anchorOf, describeType, fieldItem, fieldList, nameOf } from './schema-fields.ts';

type Components = OpenApiDocument['components'];
type Place = { readonly method: string; readonly path: string; readonly operation: Operation };

/** Answers have these in common; the table of an endpoint's answers names the others. */
const COMMON_HEADERS = /^(Request-Id|Service-Version|RateLimit-)/;
/** An example shows so many items of an array; the others are more of the same. */
const SHOWN_ITEMS = 2;

/** The reference as Markdown: every endpoint, then every object that has a name. */
export function referenceParts({ paths, components }: OpenApiDocument): string {
  const places = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const objects = Object.entries(components.schemas).map(([name, schema]) => objectPart(name, schema));
  const operations = places.map((place) => operationPart(place, components));
  return [...operations, headersPart(components), '## Objects', ...objects].join('\n\n');
}

function operationPart({ method, path, operation }: Place, components: Components): string {
  const id = toAnchor(operation.operationId);
  const scopes = operation.security.flatMap((scheme) => Object.values(scheme).flat());
  const scope = scopes.length === 0 ? 'No scope is needed.' : `Scope: ${scopes.map((one) => `\`${one}\``).join(', ')}.`;
  return [
    `## ${operation.summary} {#${id}}`,
    `<p class="endpoint"><b>${method}</b> <code>${path}</code></p>`,
    markdownWithoutHtml(operation.description),
    scope,
    ...parametersPart(id, operation, components),
    ...bodyPart(id, operation),
    `### Answers {#${id}-answers}`,
    ...answersPart(operation, components),
  ].join('\n\n');
}

function parametersPart(id: string, operation: Operation, { parameters }: Components): readonly string[] {
  const items = operation.parameters.map((given) => {
    const { name, in: place, required, description, schema } = resolve(given, parameters);
    return fieldItem(
      { ...schema, description },
      { name, facts: `${place}, ${describeType(schema)}`, isAlways: required, side: 'sent' },
    );
  });
  return items.length === 0 ? [] : [`### Parameters {#${id}-parameters}`, asFields(items.join('\n'))];
}

function bodyPart(id: string, { requestBody }: Operation): readonly string[] {
  if (requestBody === undefined) return [];
  const media = requestBody.content['application/json'];
  const description = markdownWithoutHtml(requestBody.description);
  return [`### Body {#${id}-body}`, description, asFields(fieldList(media.schema, 'sent')), ...examplePart(media)];
}

/** A table of all answers, then an example of the successful one. */
function answersPart({ responses }: Operation, components: Components): readonly string[] {
  const answers = Object.entries(responses).map(([status, given]) => ({
    status,
    ...resolve(given, components.responses),
  }));
  const rows = answers.map(({ status, description, content, headers }) => {
    const when = markdownWithoutHtml(description.split('\n')[0] ?? '');
    const names = Object.keys(headers).flatMap((name) => (COMMON_HEADERS.test(name) ? [] : [`\`${name}\``]));
    return `| \`${status}\` | ${when} | ${bodyOf(content)} | ${names.join(', ')} |`;
  });
  const success = answers.find(({ status }) => status.startsWith('2'))?.content;
  const example = success === undefined ? [] : examplePart(success['application/json']);
  return [['| Status | When | Body | Own headers |', '|---|---|---|---|', ...rows].join('\n'), ...example];
}

/** The object that an answer is; of an error the codes that it can carry, which are the names of its examples. */
function bodyOf(content: Response['content']): string {
  if (content === undefined) return 'None';
  const { schema, examples } = content['application/json'];
  if (schema.$ref === undefined || nameOf(schema.$ref) !== 'Error') return describeType(schema);
  return Object.keys(examples)
    .map((code) => `[\`${code}\`](errors.md#${code})`)
    .join(', ');
}

/** Each header once: where it is not always there, a component named `Name.sometimes` says so, and here the tables do. */
function headersPart({ headers }: Components): string {
  const schemas = new Map(Object.entries(headers).map(([key, { schema }]) => [key.replace('.sometimes', ''), schema]));
  const items = Array.from(schemas, ([name, schema]) =>
    fieldItem(schema, { name, facts: describeType(schema), isAlways: true, side: 'answered' }),
  );
  const intro =
    '`Request-Id` and `Service-Version` are on every answer, the `RateLimit` headers on every answer to a known key, the others where a table above names them.';
  return ['## Headers of answers', intro, asFields(items.join('\n'))].join('\n\n');
}

function objectPart(name: string, schema: Schema): string {
  const description = markdownWithoutHtml(schema.description ?? '');
  return [`### ${name} {#${anchorOf(name)}}`, description, asFields(fieldList(schema, 'answered'))].join('\n\n');
}

/** The first example, with long arrays cut. */
function examplePart({ examples }: MediaType): readonly string[] {
  const [first] = Object.values(examples);
  if (first === undefined) return [];
  const { summary, value } = first;
  const text = JSON.stringify(value, (_, part: unknown) => abridge(part), 2).replaceAll('"…"', '…');
  return [`${markdownWithoutHtml(summary)}:`, `\`\`\`json\n${text}\n\`\`\``];
}

function abridge(value: unknown): unknown {
  return Array.isArray(value) && value.length > SHOWN_ITEMS ? [...value.slice(0, SHOWN_ITEMS), '…'] : value;
}

function asFields(list: string): string {
  return list === '' ? '' : `<div class="fields">\n\n${list}\n\n</div>`;
}

function resolve<T extends object>(given: T | Ref, shared: Readonly<Record<string, T>>): T {
  if (!('$ref' in given)) return given;
  const found = shared[nameOf(given.$ref)];
  if (found === undefined) throw new Error(`${given.$ref} is not in the OpenAPI document`);
  return found;
}

/** `create-quote` of `createQuote`. */
function toAnchor(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
