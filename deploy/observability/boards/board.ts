import { runbookOf } from '../rules/rule.ts';

/** A query in PromQL and what its lines are called: `{{job}}` is the value of a label. */
export type Query = { readonly expr: string; readonly legend: string };

/** Of Grafana's list of units; `percentunit` is a share, `ops` and `reqps` are rates per second. */
export type Unit = 's' | 'percentunit' | 'reqps' | 'ops' | 'short' | 'bytes' | 'bool_yes_no';

export type Panel = {
  readonly title: string;
  /** What is seen, and from when on it is too much. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** `number` for the newest value alone. */
  readonly kind?: 'lines' | 'number';
  /** Where it is red: at this value and above, or below it. */
  readonly limit?: { readonly above: number } | { readonly below: number };
  /** The alert whose runbook it leads to. */
  readonly alert?: string;
};

export type Board = {
  /** Of its file and address. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
};

/** Of Grafana 12.0. */
const SCHEMA_VERSION = 41;
const SOURCE = { type: 'prometheus', uid: '${source}' };
const ACROSS = 24;
const HEIGHTS = { lines: 8, number: 4 } as const;
const WIDTHS = { lines: 12, number: 6 } as const;

/** A dashboard as Grafana imports it. */
export function boardFile({ name, title, description, rows }: Board): string {
  const board = {
    uid: `pfq-${name}`,
    title: `pfq · ${title}`,
    description,
    tags: ['pfq'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'utc',
    links: [
      { type: 'dashboards', title: 'pfq', tags: ['pfq'], asDropdown: true, includeVars: true, keepTime: true },
      { type: 'link', title: 'Runbooks', url: '${docs_url}/runbooks', targetBlank: true },
    ],
    templating: { list: VARIABLES },
    panels: layOut(rows),
  };
  return `${JSON.stringify(board, null, 2)}\n`;
}

const VARIABLES = [
  { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    name: 'namespace',
    label: 'Namespace',
    type: 'query',
    datasource: SOURCE,
    query: { query: 'label_values(up{job=~"pfq/.+"}, namespace)', refId: 'namespace' },
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
    refresh: 2,
  },
  {
    name: 'docs_url',
    label: 'Documentation',
    type: 'textbox',
    query: 'http://127.0.0.1:8080/docs',
    current: { text: 'http://127.0.0.1:8080/docs', value: 'http://127.0.0.1:8080/docs' },
  },
];

/** Rows below each other, in each of them the panels side by side; the next line begins where one does not fit. */
function layOut(rows: Board['rows']): readonly object[] {
  const placed: object[] = [];
  let top = 0;
  for (const { title, panels } of rows) {
    placed.push({
      id: placed.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: top, w: ACROSS, h: 1 },
      panels: [],
    });
    top += 1;
    let left = 0;
    let tallest = 0;
    for (const panel of panels) {
      const kind = panel.kind ?? 'lines';
      if (left + WIDTHS[kind] > ACROSS) {
        top += tallest;
        [left, tallest] = [0, 0];
      }
      placed.push({
        id: placed.length + 1,
        gridPos: { x: left, y: top, w: WIDTHS[kind], h: HEIGHTS[kind] },
        ...drawn(panel),
      });
      left += WIDTHS[kind];
      tallest = Math.max(tallest, HEIGHTS[kind]);
    }
    top += tallest;
  }
  return placed;
}

function drawn({ title, description, unit, queries, kind = 'lines', limit, alert }: Panel) {
  const isNumber = kind === 'number';
  return {
    type: isNumber ? 'stat' : 'timeseries',
    title,
    description,
    datasource: SOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: SOURCE,
      expr,
      legendFormat: legend,
      instant: isNumber,
      range: !isNumber,
    })),
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps: stepsOf(limit) },
        ...(!isNumber && {
          custom: { thresholdsStyle: { mode: limit === undefined ? 'off' : 'line' }, fillOpacity: 5 },
        }),
      },
      overrides: [],
    },
    options: isNumber
      ? {
          colorMode: limit === undefined ? 'none' : 'background',
          graphMode: 'none',
          reduceOptions: { calcs: ['lastNotNull'] },
        }
      : {
          legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
          tooltip: { mode: 'multi' },
        },
    links: alert === undefined ? [] : [runbookLink(alert)],
  };
}

function runbookLink(alert: string) {
  return { title: `Runbook: ${alert}`, url: `\${docs_url}/runbooks/${runbookOf({ alert })}`, targetBlank: true };
}

function stepsOf(limit: Panel['limit']) {
  if (limit === undefined) return [{ color: 'green', value: null }];
  if ('above' in limit)
    return [
      { color: 'green', value: null },
      { color: 'red', value: limit.above },
    ];
  return [
    { color: 'red', value: null },
    { color: 'green', value: limit.below },
  ];
}
