import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const CHART = path.join(import.meta.dirname, 'pfq');

/** A key of values.yaml: `given` is what stands behind the colon, `said` the comment above it. */
type Entry = { readonly indent: number; readonly name: string; readonly given: string; readonly said: string };
/** What a reader of the README may set, or the words above a block of such. */
type Row = { readonly place: string; readonly fallback: string; readonly meaning: string };

/** Begins the comment of what may be set; other comments speak of the block below them. */
const MARK = '-- ';

/** Writes the README of the chart into a folder: how to install it, and every value as values.yaml has it. */
export function generateChartReadme(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const rows = toRows(readEntries(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')));
  writeFileSync(path.join(folder, 'README.md'), readme(rows));
}

/** Knows YAML as values.yaml writes it: comments above keys, and each value on one line or in a block of keys. */
function readEntries(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  let said: readonly string[] = [];
  for (const line of text.split('\n')) {
    const remark = /^\s*# ?(.*)$/.exec(line)?.[1];
    const {
      indent = '',
      name,
      given = '',
    } = /^(?<indent> *)(?<name>[\w.-]+):\s*(?<given>.*)$/.exec(line)?.groups ?? {};
    if (name !== undefined) entries.push({ indent: indent.length, name, given, said: said.join(' ') });
    said = remark === undefined ? [] : [...said, remark];
  }
  return entries;
}

function toRows(entries: readonly Entry[]): readonly Row[] {
  const rows: Row[] = [];
  let above: readonly Entry[] = [];
  entries.forEach((entry, index) => {
    above = [...above.filter(({ indent }) => indent < entry.indent), entry];
    const isPartOfValue = above.some((one) => one !== entry && one.said.startsWith(MARK));
    if (isPartOfValue || (entry.given === '' && entry.said === '')) return;
    const place = above.map(({ name }) => name).join('.');
    const fallback = entry.said.startsWith(MARK) ? entry.given || toFlow(entries, index) : entry.given;
    const meaning = entry.said.startsWith(MARK) ? entry.said.slice(MARK.length) : entry.said;
    rows.push({ place, fallback, meaning });
  });
  return rows;
}

/** The keys below an entry, on one line. */
function toFlow(entries: readonly Entry[], index: number): string {
  const { indent } = entries[index] ?? { indent: 0 };
  const end = entries.findIndex((entry, place) => place > index && entry.indent <= indent);
  const below = entries.slice(index + 1, end < 0 ? entries.length : end);
  return `{ ${below.map(({ name, given }) => `${name}: ${given}`).join(', ')} }`;
}

function readme(rows: readonly Row[]): string {
  return `# The chart pfq

Six services of one image, each with a Deployment, a Service, a ConfigMap, a ServiceAccount without a token, a PodDisruptionBudget and
network policies that let through what it calls and nothing else. Written by \`npm run generate\` from \`values.yaml\`, whose
values \`values.schema.json\` holds to their types: a misspelt one is refused by name.

## Install

1. Databases: one for each service but hosted-page, in PostgreSQL; that of application may be in MongoDB. Best with two roles each,
   one that owns the schema and one that the service uses (\`migrations.serviceRoles\`).
2. Secrets. The chart makes none. One Secret with all of them, whose keys are the defaults of \`secrets.keys\` and \`databases\`:

       kubectl create namespace pfq
       kubectl -n pfq create secret generic pfq \\
         --from-literal=operator-token="$(openssl rand -hex 32)" \\
         --from-literal=key-pepper="$(openssl rand -hex 32)" \\
         --from-literal=answer-secrets="$(openssl rand -hex 32)" \\
         --from-literal=review-secrets="$(openssl rand -hex 32)" \\
         --from-literal=smtp-url='smtp://user:password@mail.agency.example:587' \\
         --from-literal=gateway-database-url='postgres://gateway:…@postgresql/gateway' \\
         --from-literal=gateway-migration-url='postgres://gateway_owner:…@postgresql/gateway' \\
         …

   and so for pricing, quote-store, application and notification; with Kafka also \`events-url\`. Keep \`key-pepper\` as
   long as API keys are to work.
3. Values that have no default:

       public: { apiUrl: https://api.agency.example, hostedUrl: https://quotes.agency.example, portalUrl: https://portal.agency.example }
       mail: { from: 'Quotes <quotes@agency.example>' }
       secrets: { existingSecret: pfq }

4. \`helm install pfq helm/pfq --namespace pfq -f helm/pfq/profiles/production.yaml -f values.yaml\`. What is missing is named, all of it at
   once, before anything is changed; on a cluster that includes Secrets and their keys. The notes say what comes next.

| Profile | For |
|---|---|
| \`profiles/minimal.yaml\` | everything once and small |
| \`profiles/postgresql-only.yaml\` | neither Kafka nor MongoDB |
| \`profiles/production.yaml\` | autoscaling, mutual TLS, Kafka, MongoDB, monitoring, narrow network policies |
| \`profiles/argocd.yaml\` | Argo CD; together with another |

\`examples/\` has the databases and Kafka by their operators.

## Good to know

- Pods restart when values change, because a checksum of their variables is among their annotations. When a Secret changes, restart
  them: \`kubectl -n pfq rollout restart deployment -l app.kubernetes.io/instance=pfq\`, or let Reloader do it
  (\`defaults.podAnnotations\`). Certificates of \`mutualTls\` are taken up without a restart.
- A Deployment that is scaled by something has no number of pods in the chart. The upgrade that turns scaling on brings it to one pod
  until the autoscaler has looked, which takes seconds: do it in a quiet hour.
- Network policies name ports of pods: 8080 for the public, 9090 for calls between services, 9464 for probes and metrics. Of places outside
  the release they know the ports, and the addresses where \`networkPolicy.to\` gives them.
- On Kubernetes before 1.21, 1.23, 1.24 and 1.30 the chart makes do without policy/v1, autoscaling/v2, gRPC probes and
  \`preStop.sleep\`. It goes by the version alone, which \`helm template\` is told with \`--kube-version\`.
- Helm leaves out a value that is set to null, and the chart tells which one it misses: \`missing property 'gateway'\`. The same is said after
  \`helm upgrade --reuse-values\` to a chart that has more values: use \`--reset-then-reuse-values\`.
- A release must not be named as another of its namespace with a word behind, such as \`pfq\` and \`pfq-gateway\`: both would have
  objects of one name, and Helm refuses the second.

## Values

| Value | Default | Meaning |
|---|---|---|
${rows.map(toLine).join('\n')}
`;
}

function toLine({ place, fallback, meaning }: Row): string {
  const shown = fallback === '' ? '' : `\`${fallback}\``;
  return `| \`${place}\` | ${shown} | ${meaning.replaceAll('|', '\\|')} |`;
}

if (import.meta.main) generateChartReadme(CHART);
