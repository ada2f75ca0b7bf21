import { escapeHtml } from './escape.ts';

/** What stands out in the code of a language: each group is the class of what it matches, or the language within it. */
const TOKENS: Readonly<Record<string, RegExp>> = {
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<value>-?\b\d[\d.]*|\b(?:true|false|null)\b)/g,
  sh: /(?<note>(?<=^|\s)#.*$)|(?<json>(?<=')\{[^']*)|(?<text>'(?!\{)[^']*'|"[^"]*")|(?<name>\$\w+|(?<=^|\s)[A-Z_]+(?==))|(?<value>(?<=\s)--?[A-Za-z-]+)/gm,
  js: /(?<note>\/\/.*$|\/\*[\s\S]*?\*\/)|(?<text>'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<name>\b(?:async|await|break|const|continue|else|export|for|from|function|if|import|let|new|of|return|throw|try|catch|while)\b)|(?<value>\b(?:\d[\d_.]*|true|false|null|undefined)\b)/gm,
  http: /(?<value>^HTTP\/1\.1 .*$)|(?<name>^[A-Z][\w-]*(?=:))|(?<text>"(?:[^"\\]|\\.)*")/gm,
  promql:
    /(?<text>"(?:[^"\\]|\\.)*")|(?<name>\b(?:by|max|min|sum|rate|increase|histogram_quantile)\b)|(?<value>\[[^\]]*\]|\b\d[\d.]*\b)/g,
};

/** Code as HTML, with its parts in spans; any other language is only escaped. */
export function highlight(code: string, language: string): string {
  const tokens = TOKENS[language];
  if (tokens === undefined) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const { 0: found, index, groups = {} } of code.matchAll(tokens)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? '';
    const inner = kind in TOKENS ? highlight(found, kind) : `<span class="${kind}">${escapeHtml(found)}</span>`;
    html += escapeHtml(code.slice(end, index)) + inner;
    end = index + found.length;
  }
  return html + escapeHtml(code.slice(end));
}
