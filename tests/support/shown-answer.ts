import { parseHttp } from './curl.ts';

/** In an example it stands for whatever else is there: members of an object, items of an array, characters of a text. */
const ELLIPSIS = '…';

/** Texts that are another one each time: those that fit the same pattern are taken as equal. */
const VARYING = [
  /^(qte|app|pol|req)_[0-9A-Za-z]+$/,
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  /^https?:\/\/[^/]+\/q\/[\w-]{43}$/,
];
const VARYING_HEADERS = new Set(['request-id', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']);

/** How what was printed differs from the answer that a document shows; empty where it says the same. */
export function differencesOf(
  shown: { readonly language: string; readonly code: string },
  printed: string,
): readonly string[] {
  if (shown.language === 'json') return compare(parseShown(shown.code), JSON.parse(printed), '');
  if (shown.language === 'http') return compareHttp(shown.code, printed);
  return shown.code.trim() === printed.trim() ? [] : [`${JSON.stringify(printed)} was printed`];
}

/** JSON in which an ellipsis may stand between members or items. */
function parseShown(code: string): unknown {
  const open: string[] = [];
  const json = code.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\]…]/g, (token) => {
    if (token === '{' || token === '[') open.push(token);
    if (token === '}' || token === ']') open.pop();
    if (token !== ELLIPSIS) return token;
    return open.at(-1) === '{' ? `"${ELLIPSIS}":null` : `"${ELLIPSIS}"`;
  });
  return JSON.parse(json);
}

function compareHttp(shown: string, printed: string): readonly string[] {
  const [wanted, got] = [parseHttp(shown), parseHttp(printed)];
  const status = wanted.status === got.status ? [] : [`the status is ${got.status}`];
  const headers = Array.from(wanted.headers).flatMap(([name, value]) => {
    const given = got.headers.get(name);
    const isSame = given !== null && (VARYING_HEADERS.has(name) || given === value);
    return isSame ? [] : [`${name} is ${given ?? 'missing'}`];
  });
  return [...status, ...headers, ...compare(parseShown(wanted.text), JSON.parse(got.text), '')];
}

function compare(shown: unknown, got: unknown, place: string): readonly string[] {
  if (Array.isArray(shown) && Array.isArray(got)) return compareItems(shown, got, place);
  if (isRecord(shown) && isRecord(got)) return compareMembers(shown, got, place);
  const isSame = shown === got || (typeof shown === 'string' && typeof got === 'string' && isAlike(shown, got));
  return isSame ? [] : [`${place} is ${JSON.stringify(got)}`];
}

function compareMembers(shown: Members, got: Members, place: string): readonly string[] {
  const { [ELLIPSIS]: ellipsis, ...wanted } = shown;
  const unexpected = ellipsis === undefined ? Object.keys(got).filter((name) => !(name in wanted)) : [];
  return [
    ...unexpected.map((name) => `${place}.${name} is not shown`),
    ...Object.keys(wanted).flatMap((name) => compare(wanted[name], got[name], `${place}.${name}`)),
  ];
}

/** Items are looked for in order; an ellipsis lets any number of others pass. */
function compareItems(shown: readonly unknown[], got: readonly unknown[], place: string): readonly string[] {
  let at = 0;
  for (const [index, item] of shown.entries()) {
    if (item === ELLIPSIS) continue;
    const isAnywhere = shown[index - 1] === ELLIPSIS;
    const found = isAnywhere ? got.findIndex((one, here) => here >= at && compare(item, one, '').length === 0) : at;
    if (found === -1) return [`${place} has no such item: ${JSON.stringify(item)}`];
    const differences = compare(item, got[found], `${place}[${found}]`);
    if (differences.length > 0) return differences;
    at = found + 1;
  }
  return shown.at(-1) === ELLIPSIS || at === got.length ? [] : [`${place} has ${got.length - at} more items`];
}

function isAlike(shown: string, got: string): boolean {
  const pattern = shown.split(ELLIPSIS).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  if (pattern.length > 1 && new RegExp(`^${pattern.join('.*')}$`, 's').test(got)) return true;
  return VARYING.some(
    (varying) => varying.exec(shown)?.[1] === varying.exec(got)?.[1] && varying.test(shown) && varying.test(got),
  );
}

type Members = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
