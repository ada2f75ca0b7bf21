import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

export type Query = {
  /** Every series that is selected: the metric's name, and the labels that narrow it. */
  readonly selections: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** Labels that results are grouped or matched by. */
  readonly groupedBy: readonly string[];
};

const BROKEN = '⚠';

/** What a query asks for. Throws where it is no PromQL. */
export function readQuery(expr: string): Query {
  // Grafana fills these in.
  const text = expr.replaceAll('$__rate_interval', '5m');
  const tree = parser.parse(text);
  const nodes = (name: string, within: SyntaxNode = tree.topNode) => nodesOf(within, name);
  const textOf = ({ from, to }: SyntaxNode) => text.slice(from, to);
  const [broken] = nodes(BROKEN);
  if (broken) throw new Error(`no PromQL at ${text.slice(broken.from)}: ${text}`);
  return {
    selections: nodes('VectorSelector').map((selector) => ({
      metric: nodes('Identifier', selector).map(textOf)[0] ?? '',
      labels: nodes('LabelName', selector).map(textOf),
    })),
    groupedBy: nodes('GroupingLabels').flatMap((labels) => nodes('LabelName', labels).map(textOf)),
  };
}

function nodesOf(within: SyntaxNode, name: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  within.cursor().iterate((node) => {
    if (node.name === name) found.push(node.node);
  });
  return found;
}
