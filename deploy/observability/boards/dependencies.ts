import type { Board, Panel } from './board.ts';
import { newestOf, quantileOf, rateOf, readingsOf } from './queries.ts';

const POOL = 'db.client.connection.pool.name';
const FAILED = { 'error.type': { like: '.+' } } as const;

/** What is away, and for whom. On the overview too. */
export const REACHED: Panel = {
  title: 'Dependencies',
  description: '1 where every instance of a service reaches what it depends on, 0 where one does not.',
  unit: 'short',
  queries: [
    {
      expr: newestOf('pfq.dependency.up', { of: 'min', by: ['job', 'pfq.dependency'] }),
      legend: '{{job}} → {{pfq_dependency}}',
    },
  ],
  limit: { below: 1 },
  alert: 'DependencyAway',
};

export const DEPENDENCIES: Board = {
  name: 'dependencies',
  title: 'Dependencies',
  description: 'What each service depends on: other services, databases, Kafka, the mail server, the collector.',
  rows: [
    {
      title: 'Reached or not',
      panels: [
        REACHED,
        {
          title: 'Exports that failed',
          description: 'Batches of spans or metrics a second that the collector did not take.',
          unit: 'ops',
          queries: [{ expr: rateOf('pfq.telemetry.export.failures', ['job']), legend: '{{job}}' }],
          alert: 'TelemetryExportFails',
        },
      ],
    },
    {
      title: 'Other services',
      panels: [
        {
          title: 'Calls that failed',
          description: 'Calls a second that a service made in vain, as it saw them.',
          unit: 'reqps',
          queries: [
            {
              expr: readingsOf('rpc.client.call.duration', ['job', 'rpc.method', 'error.type'], FAILED),
              legend: '{{job}} → {{rpc_method}} {{error_type}}',
            },
          ],
        },
        {
          title: 'Duration of calls, 95 %',
          description: 'As the caller saw it, tries included. Far above the next panel, the time is lost on the way.',
          unit: 's',
          queries: [
            {
              expr: quantileOf('rpc.client.call.duration', { quantile: 0.95, by: ['job', 'rpc.method'] }),
              legend: '{{job}} → {{rpc_method}}',
            },
          ],
        },
        {
          title: 'Duration of answers, 95 %',
          description: 'The same calls as the service saw it that answered.',
          unit: 's',
          queries: [
            {
              expr: quantileOf('rpc.server.call.duration', { quantile: 0.95, by: ['job', 'rpc.method'] }),
              legend: '{{job}} {{rpc_method}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Databases',
      panels: [
        {
          title: 'Duration of statements, 95 %',
          description: 'Without the wait for a connection, which the pools show.',
          unit: 's',
          queries: [
            {
              expr: quantileOf('db.client.operation.duration', { quantile: 0.95, by: ['job', 'db.query.summary'] }),
              legend: '{{job}} {{db_query_summary}}',
            },
          ],
        },
        {
          title: 'Statements that failed',
          description: 'Statements and operations a second, by error.',
          unit: 'ops',
          queries: [
            {
              expr: readingsOf('db.client.operation.duration', ['job', 'db.query.summary', 'error.type'], FAILED),
              legend: '{{job}} {{db_query_summary}} {{error_type}}',
            },
          ],
        },
        {
          title: 'Who waits for a connection',
          description: 'For minutes on end, requests are slow because of it.',
          unit: 'short',
          queries: [
            {
              expr: newestOf('db.client.connection.pending_requests', { of: 'max', by: ['job', 'instance', POOL] }),
              legend: '{{job}} {{instance}} {{db_client_connection_pool_name}}',
            },
          ],
          alert: 'PoolExhausted',
        },
        {
          title: 'Connections in use',
          description: 'Against the most that a pool may have.',
          unit: 'short',
          queries: [
            {
              expr: newestOf('db.client.connection.count', {
                of: 'sum',
                by: ['job', 'instance', POOL],
                where: { 'db.client.connection.state': 'used' },
              }),
              legend: 'used: {{job}} {{instance}} {{db_client_connection_pool_name}}',
            },
            {
              expr: newestOf('db.client.connection.limit', { of: 'max', by: ['job', POOL] }),
              legend: 'limit: {{job}} {{db_client_connection_pool_name}}',
            },
          ],
          alert: 'PoolExhausted',
        },
      ],
    },
    {
      title: 'Kafka and mail',
      panels: [
        {
          title: 'Time until Kafka has an event, 95 %',
          description: 'Until every replica in sync has it.',
          unit: 's',
          queries: [
            {
              expr: quantileOf('messaging.client.operation.duration', {
                quantile: 0.95,
                by: ['messaging.destination.name'],
              }),
              legend: '{{messaging_destination_name}}',
            },
          ],
        },
        {
          title: 'Mails that were not taken',
          description: 'Attempts a second. Nearly all of them deferred: the mail server is away or refuses us.',
          unit: 'ops',
          queries: [
            {
              expr: rateOf('pfq.mail.attempts', ['pfq.mail.result'], {
                'pfq.mail.result': { like: 'deferred|failed' },
              }),
              legend: '{{pfq_mail_result}}',
            },
          ],
          alert: 'MailsFail',
        },
      ],
    },
  ],
};
