import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { serveHttp } from '@pfq/kit/http';
import { hasCode } from '@pfq/local/processes';
import { metricsIn, spansIn } from './otlp-messages.ts';
import type { ReceivedMetric, ReceivedSpan } from './otlp-messages.ts';

/** `refusing` answers 503, `silent` takes everything and never answers, `away` ends every connection. */
export type Conduct = 'taking' | 'refusing' | 'silent' | 'away';

/** An OpenTelemetry collector in memory: OTLP over HTTP, in JSON. */
export type OtlpReceiver = {
  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Everything that was taken, as it was written. */
  readonly texts: () => readonly string[];
  readonly spans: () => readonly ReceivedSpan[];
  /** Every reading of every metric. */
  readonly metrics: () => readonly ReceivedMetric[];
  /** How many batches it did not take. */
  readonly refused: () => number;
  /** Whether it took whatever was sent between these times, in milliseconds since 1970. */
  readonly wasTaking: (fromMs: number, toMs: number) => boolean;
  readonly behave: (conduct: Conduct) => void;
  readonly stop: () => Promise<void>;
};

/** Listens on a port of the loopback that the system chooses. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const taken = { texts: [] as string[], spans: [] as ReceivedSpan[], metrics: [] as ReceivedMetric[] };
  const waiting = new Set<ServerResponse>();
  let conduct: Conduct = 'taking';
  let refused = 0;
  /** When it began and ceased to take what it is sent, in turns. */
  const turns: number[] = [];

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    if (conduct !== 'taking') refused += 1;
    if (conduct === 'away') return request.socket.destroy();
    const body = await buffer(request);
    if (conduct === 'silent') return waiting.add(response);
    if (conduct === 'refusing') return response.writeHead(503).end();
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    taken.texts.push(text);
    if (request.url === '/v1/traces') taken.spans.push(...spansIn(JSON.parse(text)));
    else if (request.url === '/v1/metrics') taken.metrics.push(...metricsIn(JSON.parse(text)));
    else return response.writeHead(404).end();
    return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    // A sender that went away before its batch was whole has given up on it.
    take(request, response).catch((error: unknown) => {
      if (!hasCode(error, 'ECONNRESET')) throw error;
    });
  };
  const server = await serveHttp({ handler, host: '127.0.0.1', port: 0, connectionAgeMs: null });
  const letGo = () => {
    for (const response of waiting) response.destroy();
    waiting.clear();
  };
  return {
    url: `http://127.0.0.1:${server.port}`,
    texts: () => taken.texts,
    spans: () => taken.spans,
    metrics: () => taken.metrics,
    refused: () => refused,
    wasTaking(fromMs, toMs) {
      const before = turns.filter((turn) => turn <= fromMs).length;
      return before % 2 === 0 && turns.filter((turn) => turn <= toMs).length === before;
    },
    behave(next) {
      if ((next === 'taking') !== (conduct === 'taking')) turns.push(Date.now());
      conduct = next;
      letGo();
    },
    async stop() {
      letGo();
      await server.stop();
    },
  };
}
