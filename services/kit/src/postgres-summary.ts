const summaries = new Map<string, string>();

/**
 * What a statement does, in a few words that hold no value: `INSERT quotes`, `COMMIT`. Operation and table of what it does in
 * the end; but where it only selects in the end what a part of it has written, those of the first writing part.
 */
export function summaryOf(sql: string): string {
  const known = summaries.get(sql);
  if (known !== undefined) return known;
  const summary = summarize(bare(sql));
  summaries.set(sql, summary);
  return summary;
}

const MAIN = /\b(?:INSERT|UPDATE|DELETE|SELECT|MERGE|TRUNCATE)\b/i;
/** Not the locks of `FOR UPDATE`, nor the other half of an upsert. */
const WRITE = /(?<!\b(?:FOR|NO KEY|DO)\s+)\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+([\w.]+)/gi;
/** Not `extract(epoch FROM …)` nor `IS DISTINCT FROM …`; what follows a comma is no main table. */
const SOURCE = /(?<!\bDISTINCT\s+|\(\s*\w+\s+)\bFROM\s+(?:ONLY\s+)?([a-z_][\w.]*)/gi;
const PART = /(?:\bWITH\s+(?:RECURSIVE\s+)?|,\s*)(\w+)\s*(?:\([^()]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi;

function summarize(text: string): string {
  const outermost = withoutParentheses(text);
  const [operation = ''] = MAIN.exec(outermost) ?? /\w+/.exec(outermost) ?? [];
  const verb = operation.toUpperCase();
  if (verb !== 'SELECT') return describe(verb, firstWrite(outermost));
  const write = firstWrite(text);
  if (write) return describe(write.verb, write);
  const parts = new Set([...text.matchAll(PART)].map(([, name = '']) => name));
  const sources = [outermost, text].flatMap((each) => [...each.matchAll(SOURCE)].map(([, table = '']) => table));
  const [called] = /(?<=\bSELECT\s+)[a-z_][\w.]*(?=\s*\()/i.exec(outermost) ?? [];
  const table = sources.find((source) => !parts.has(source)) ?? called;
  return describe(verb, table === undefined ? null : { table });
}

function firstWrite(text: string): { readonly verb: string; readonly table: string } | null {
  const [found] = text.matchAll(WRITE);
  const [, words = '', table = ''] = found ?? [];
  const [verb = ''] = words.split(/\s/);
  return found ? { verb: verb.toUpperCase(), table } : null;
}

function describe(verb: string, target: { readonly table: string } | null): string {
  return target ? `${verb} ${target.table}` : verb;
}

/** Without comments and what stands between quotes, which could look like anything. */
function bare(sql: string): string {
  return sql
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '');
}

/** From the inside out, until none is left: `()` stays where something was, so that calls can be told from names. */
function withoutParentheses(text: string): string {
  const inner = text.replace(/\((?:[^()]|\(\))+\)/g, '()');
  return inner === text ? text : withoutParentheses(inner);
}
