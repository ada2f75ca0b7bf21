import type { Peer, Rule, Selector } from './kinds.ts';
import type { Rendered } from './render.ts';

/** A pod, or whoever else is in the cluster: its labels, and those of its namespace. */
export type Party = {
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace: Readonly<Record<string, string>>;
  /** Whether it is a pod of the release's own namespace. */
  readonly isOwn: boolean;
};

export type Way = { readonly from: Party; readonly to: Party; readonly port: number; readonly protocol?: string };

/** Whether NetworkPolicies let a connection through: what leaves the one pod, and what enters the other. */
export function isAllowed({ of }: Pick<Rendered, 'of'>, { from, to, port, protocol = 'TCP' }: Way): boolean {
  const takesPort = ({ ports }: Rule) =>
    ports === undefined || ports.some((one) => one.port === port && one.protocol === protocol);
  const allows = (side: 'ingress' | 'egress') => {
    const [inside, outside] = side === 'ingress' ? [to, from] : [from, to];
    const policies = of('NetworkPolicy').filter(({ spec }) => inside.isOwn && selects(spec.podSelector, inside.labels));
    const bound = policies.filter(({ spec }) => spec.policyTypes.includes(side === 'ingress' ? 'Ingress' : 'Egress'));
    const rules = bound.flatMap(({ spec }) => spec[side] ?? []);
    const fits = (rule: Rule) => {
      const peers = side === 'ingress' ? rule.from : rule.to;
      return takesPort(rule) && (peers === undefined || peers.some((peer) => isPeer(peer, outside)));
    };
    return bound.length === 0 || rules.some(fits);
  };
  return allows('egress') && allows('ingress');
}

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Party['labels']): boolean {
  const isMatched = matchExpressions.every(({ key, operator, values }) => {
    if (operator !== 'In') throw new Error(`the tests do not know the operator ${operator}`);
    return values.includes(labels[key] ?? '');
  });
  return isMatched && Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, party: Party): boolean {
  if (ipBlock !== undefined) return false;
  const isThere = namespaceSelector === undefined ? party.isOwn : selects(namespaceSelector, party.namespace);
  return isThere && (podSelector === undefined || selects(podSelector, party.labels));
}
