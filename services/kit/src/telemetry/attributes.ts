import {
  ATTR_DB_CLIENT_CONNECTION_POOL_NAME,
  ATTR_DB_CLIENT_CONNECTION_STATE,
  ATTR_DB_COLLECTION_NAME,
  ATTR_DB_NAMESPACE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_MESSAGING_CONSUMER_GROUP_NAME,
  ATTR_MESSAGING_DESTINATION_NAME,
  ATTR_MESSAGING_DESTINATION_PARTITION_ID,
  ATTR_MESSAGING_OPERATION_NAME,
  ATTR_MESSAGING_OPERATION_TYPE,
  ATTR_MESSAGING_SYSTEM_NAME,
  ATTR_RPC_METHOD,
  ATTR_RPC_STATUS_CODE,
  ATTR_RPC_SYSTEM_NAME,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
} from '@opentelemetry/semantic-conventions/incubating';

type Attribute = { readonly brief: string; readonly values?: readonly string[] };

/** Every attribute that spans and metrics carry, by its name in OpenTelemetry's conventions; our own begin with `pfq.`. */
export const ATTRIBUTES = {
  [ATTR_HTTP_REQUEST_METHOD]: { brief: 'Method of an HTTP request; `_OTHER` for one that we do not know.' },
  [ATTR_HTTP_ROUTE]: { brief: 'Path with `{name}` where a part varies; `unmatched` where there is no such path.' },
  [ATTR_HTTP_RESPONSE_STATUS_CODE]: { brief: 'Status that was answered.' },
  [ATTR_ERROR_TYPE]: { brief: 'Public error code, or the name of the error; absent where all went well.' },
  [ATTR_RPC_SYSTEM_NAME]: { brief: 'Always `grpc`.' },
  [ATTR_RPC_METHOD]: { brief: 'Service and method: `pfq.pricing.v1.PricingService/PriceDeal`.' },
  [ATTR_RPC_STATUS_CODE]: { brief: 'gRPC status by name: `OK`, `UNAVAILABLE`.' },
  [ATTR_DB_SYSTEM_NAME]: { brief: 'Kind of database.', values: ['postgresql', 'mongodb'] },
  [ATTR_DB_NAMESPACE]: { brief: 'Name of the database.' },
  [ATTR_DB_QUERY_SUMMARY]: { brief: 'Operation and table or collection: `INSERT quotes`.' },
  [ATTR_DB_OPERATION_NAME]: { brief: 'Operation: `INSERT`, `find`.' },
  [ATTR_DB_COLLECTION_NAME]: { brief: 'Table or collection.' },
  [ATTR_DB_RESPONSE_STATUS_CODE]: { brief: "The server's code of what failed." },
  [ATTR_DB_CLIENT_CONNECTION_POOL_NAME]: {
    brief: 'Which pool of the process: `requests`, or `jobs` and the tasks that it is for.',
  },
  [ATTR_DB_CLIENT_CONNECTION_STATE]: { brief: 'What a connection of a pool does.', values: ['idle', 'used'] },
  [ATTR_MESSAGING_SYSTEM_NAME]: { brief: 'Always `kafka`.' },
  [ATTR_MESSAGING_DESTINATION_NAME]: { brief: 'Topic.' },
  [ATTR_MESSAGING_DESTINATION_PARTITION_ID]: { brief: 'Partition of the topic.' },
  [ATTR_MESSAGING_CONSUMER_GROUP_NAME]: { brief: 'Consumer group.' },
  [ATTR_MESSAGING_OPERATION_NAME]: { brief: 'What was done with an event.', values: ['send', 'process'] },
  [ATTR_MESSAGING_OPERATION_TYPE]: { brief: 'Kind of that.', values: ['send', 'process'] },
  [ATTR_SERVER_ADDRESS]: { brief: 'Host that was called.' },
  [ATTR_SERVER_PORT]: { brief: 'Port that was called.' },
  'pfq.request.id': { brief: 'The public id of the request that all this is done for: `req_…`.' },
  'pfq.agency.id': { brief: 'Agency of the caller: `agy_…`.' },
  'pfq.mode': { brief: 'Mode of the data.', values: ['live', 'test'] },
  'pfq.key.id': { brief: 'API key of the caller, by its id: `key_…`.' },
  'pfq.quote.id': { brief: 'Quote that it is about: `qte_…`.' },
  'pfq.event.id': { brief: 'Event that it is about: `evt_…`.' },
  'pfq.api.version': { brief: 'Version of the API that served the request.' },
  'pfq.idempotency.outcome': {
    brief: 'What became of a request that came with an Idempotency-Key.',
    values: ['performed', 'replayed', 'key_reused', 'in_progress', 'record_lost'],
  },
  'pfq.limit': {
    brief: 'Limit that a request was over.',
    values: ['requests_per_minute', 'key_quotes_per_day', 'agency_quotes_per_day'],
  },
  'pfq.request_log.reason': {
    brief:
      'Why a request is not kept: no place to wait while the database is away; none although it is there; one of many that were turned away unheard; refused by the database; the process stops.',
    values: ['away', 'full', 'turned_away', 'refused', 'stopped'],
  },
  'pfq.quote.outcome': { brief: 'Verdict on a priced deal.', values: ['eligible', 'ineligible'] },
  'pfq.eligibility.check': { brief: 'Check that a deal failed, by its public code.' },
  'pfq.job.task': { brief: 'Task of a background job.' },
  'pfq.job.attempt': { brief: 'How often the job was tried, from 1.' },
  'pfq.mail.result': {
    brief: 'How an attempt to send a mail ended.',
    values: ['sent', 'deferred', 'failed'],
  },
  'pfq.mail.reason': { brief: 'Public reason code of a mail that failed; absent otherwise.' },
  'pfq.dependency': {
    brief: 'What a service depends on.',
    values: [
      'postgresql',
      'mongodb',
      'kafka',
      'smtp',
      'collector',
      'pricing',
      'quote-store',
      'application',
      'notification',
    ],
  },
  'pfq.hosted.outcome': { brief: 'Page that the hosted page answered with: `quote`, `review`, `unknown`.' },
} as const satisfies Readonly<Record<string, Attribute>>;

export type AttributeName = keyof typeof ATTRIBUTES;
export type DependencyName = (typeof ATTRIBUTES)['pfq.dependency']['values'][number];
export type AttributeValue = string | number | boolean;
/** What a span may carry. */
export type Attributes = { readonly [N in AttributeName]?: AttributeValue | undefined };
