import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export type Kind = { readonly apiVersion: string; readonly kind: string };

type Json = { readonly [name: string]: Json } | readonly Json[] | string | number | boolean | null;
type Schema = { readonly [name: string]: Json };

type Definition = {
  readonly spec: {
    readonly group: string;
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
};

const KIND_DEFINED = /^ {4}kind: (\w+)$/m;
/** What the schemas of Kubernetes call a definition that they share, from their own file and from others. */
const REFERENCE = /^(?:\/api\/_definitions\.json)?#\/\$defs\/(.+)$/;
/** What custom resource definitions leave open, because the API server knows it. */
const METADATA = { $ref: '#/$defs/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
/** Members of a schema that are schemas of the same object, which say more about some of its members. */
const ABOUT_THE_SAME = new Set(['allOf', 'anyOf', 'oneOf', 'not']);

/**
 * Writes schemas of some kinds as kubeconform wants them, each of which refers to no other, and gives where they are. `from`
 * is the folder that .ci/chart-tools fills. Kinds of which it has no schema are left out.
 */
export function writeSchemas({ from, folder }: { readonly from: string; readonly folder: string }) {
  const definitions = new Map(
    globSync('crds/*.yaml', { cwd: from }).map((file) => {
      const text = readFileSync(path.join(from, file), 'utf8');
      return [KIND_DEFINED.exec(text)?.[1] ?? file, text] as const;
    }),
  );
  const shared = new Map<string, Schema>();
  const sharedIn = (native: string): Schema => {
    const read = shared.get(native) ?? JSON.parse(readFileSync(path.join(native, '_definitions.json'), 'utf8')).$defs;
    shared.set(native, read);
    return read;
  };

  return (kubernetes: string, kinds: readonly Kind[]): string => {
    const own = path.join(folder, kubernetes);
    const native = path.join(from, 'kubernetes', `v${kubernetes}`);
    const fileOf = ({ apiVersion, kind }: Kind) =>
      path.join(own, apiVersion.split('/')[0] ?? '', `${apiVersion.split('/').at(-1)}-${kind}.json`.toLowerCase());
    for (const one of kinds.filter((kind) => !existsSync(fileOf(kind)))) {
      const found = readNative(native, one) ?? readDefinition(definitions.get(one.kind), one);
      if (found === undefined) continue;
      mkdirSync(path.dirname(fileOf(one)), { recursive: true });
      writeFileSync(fileOf(one), JSON.stringify(gather(found, sharedIn(native))));
    }
    return path.join(own, '{{.Group}}/{{.ResourceAPIVersion}}-{{.ResourceKind}}.json');
  };
}

function readNative(folder: string, { apiVersion, kind }: Kind): Schema | undefined {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const name = [kind, ...group.split('.').slice(0, 1), version].filter((part) => part !== '').join('-');
  const file = path.join(folder, `${name.toLowerCase()}.json`);
  if (!existsSync(file) || (group.includes('.') && !group.endsWith('.k8s.io'))) return undefined;
  const { $id: _, ...schema }: Schema = JSON.parse(readFileSync(file, 'utf8'));
  return schema;
}

function readDefinition(text: string | undefined, { apiVersion }: Kind): Schema | undefined {
  if (text === undefined) return undefined;
  const { spec }: Definition = parse(text);
  const version = spec.versions.find(({ name }) => `${spec.group}/${name}` === apiVersion);
  const closed = close(version?.schema.openAPIV3Schema ?? null);
  if (!isSchema(closed) || !isSchema(closed['properties'])) return undefined;
  return { ...closed, properties: { ...closed['properties'], metadata: METADATA } };
}

/** Takes into a schema what it refers to, directly and by others. */
function gather(schema: Schema, definitions: Schema): Schema {
  const needed: Record<string, Json> = {};
  const copy = (name: string, json: Json): Json => {
    const [, referred] = name === '$ref' && typeof json === 'string' ? (REFERENCE.exec(json) ?? []) : [];
    if (referred === undefined) return change(json, copy);
    if (!(referred in needed)) {
      // There already while it is copied: some refer to themselves.
      needed[referred] = null;
      needed[referred] = change(definitions[referred] ?? null, copy);
    }
    return `#/$defs/${referred}`;
  };
  const own = Object.entries(schema).map(([name, json]) => [name, copy(name, json)]);
  return { ...Object.fromEntries(own), $defs: needed };
}

/** Lets an object that names its members have no other, as the API server does when it is asked to be strict. */
function close(json: Json): Json {
  const closed = change(json, (name, value) => (ABOUT_THE_SAME.has(name) ? value : close(value)));
  if (!isSchema(closed) || !isSchema(closed['properties'])) return closed;
  const isOpen = 'additionalProperties' in closed || closed['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? closed : { ...closed, additionalProperties: false };
}

/** Makes each member of an object or list anew; those of a list have no name. */
function change(json: Json, anew: (name: string, member: Json) => Json): Json {
  if (isList(json)) return json.map((member) => anew('', member));
  if (!isSchema(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, anew(name, member)]));
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

function isSchema(json: Json | undefined): json is Schema {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
