import type { RequestListener } from 'node:http';
import type { Clock } from '@pfq/kit/clock';
import type { Logger } from '@pfq/kit/log';
import { observeRequest } from '@pfq/kit/telemetry/http-requests';

type Observers = { readonly clock: Clock; readonly logger: Pick<Logger, 'info'> };

/** A document of which every request has a span, a reading and a log line under one route, and no request id: it is not kept. */
export function observedDocument(
  route: string,
  serve: RequestListener,
  { clock, logger }: Observers,
): (...conversation: Parameters<RequestListener>) => Promise<void> {
  return (request, response) =>
    observeRequest(request, async (seen) => {
      const startedAt = clock();
      const { method } = request;
      const ended = new Promise<void>((resolve) => void response.once('close', resolve));
      serve(request, response);
      await ended;
      const line = { method, route, duration_ms: Math.round((clock() - startedAt) * 10) / 10 };
      if (!response.writableFinished) {
        seen.brokenOff({ route });
        return logger.info(line, 'request broken off by its caller');
      }
      const status = response.statusCode;
      seen.answered({ route, status });
      logger.info({ ...line, status }, 'request');
    });
}
