import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export type Source = {
  /** From the project's folder: `services/pricing/src/main.ts`. */
  readonly file: string;
  readonly text: string;
  /** The text without its comments. */
  readonly code: string;
  /** As written: `@pfq/kit/money`, `../domain/deal.ts`, `node:fs`. */
  readonly imports: readonly string[];
};

export type Manifest = {
  /** From the project's folder: `services/kit`; empty for the project itself. */
  readonly folder: string;
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  /** Name → version, of every kind. */
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Code that `npm run generate` writes. */
export const GENERATED = 'proto/gen';
const STATEMENT = /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*'([^']+)'/gm;
const CALL = /\bimport(?:\.meta\.resolve)?\(\s*'([^']+)'/g;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Hand-written files of the project that fit a pattern, in order. */
export function listFiles(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules', GENERATED] }).sort();
}

export function readText(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Every hand-written program file. */
export const SOURCES: readonly Source[] = listFiles('{*.ts,{deploy,helm,proto,services,tests}/**/*.{ts,mts,mjs}}').map(
  (file) => {
    const text = readText(file);
    const code = text.replace(COMMENT, '');
    const imports = [...code.matchAll(STATEMENT), ...code.matchAll(CALL)].map(([, specifier = '']) => specifier);
    return { file, text, code, imports };
  },
);

/** The project's and every workspace's `package.json`. */
export const MANIFESTS: readonly Manifest[] = listFiles('{.,proto,services/*,deploy/local,tests}/package.json').map(
  (file) => {
    const given = JSON.parse(readText(file)) as Partial<Record<string, Record<string, string>>> & { name: string };
    const { exports = {}, bin = {}, scripts = {}, dependencies, devDependencies, optionalDependencies } = given;
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies };
    const folder = path.dirname(file) === '.' ? '' : path.dirname(file);
    return { folder, name: given.name, exports, bin, scripts, dependencies: all };
  },
);

/** Only tests load these. */
export function isTest(file: string): boolean {
  return /\.test\.ts$|\.test-support\.ts$|\/testing\//.test(file) || file.startsWith('tests/');
}

/** The workspace that a file is in: `services/pricing`, `deploy/local`, `proto`. */
export function workspaceOf(file: string): string {
  const folders = MANIFESTS.map(({ folder }) => folder).filter((folder) => folder !== '');
  return folders.find((folder) => file.startsWith(`${folder}/`)) ?? '';
}

/** The file of this project that an import leads to; null where it is a package or built in. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier);
  const manifest = MANIFESTS.find(({ name }) => specifier.startsWith(`${name}/`));
  if (manifest === undefined) return null;
  const rest = specifier.slice(manifest.name.length + 1);
  const target = manifest.exports[`./${rest}`] ?? manifest.exports['./*']?.replace('*', rest);
  return path.join(manifest.folder, target ?? rest);
}

/** The package that an import takes from node_modules; null where it is ours or built in. */
export function packageOf(specifier: string): string | null {
  if (/^\.|^node:|^@pfq\//.test(specifier)) return null;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
