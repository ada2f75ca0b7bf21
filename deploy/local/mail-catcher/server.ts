import { watchHealth } from '@pfq/kit/health';
import { serveHttp } from '@pfq/kit/http';
import { createLogger } from '@pfq/kit/log';
import type { MailCatcherConfig } from './config.ts';
import { openMailbox } from './mailbox.ts';
import { mailPages } from './routes.ts';
import { serveSmtp } from './smtp.ts';

/** Takes every mail that is sent to it, keeps it, and shows it on a page. */
export async function start(config: MailCatcherConfig) {
  const { listenHost: host, smtpPort, httpPort, mailDir } = config;
  const logger = createLogger({ service: 'mail', level: config.logLevel, format: config.logFormat });
  const mailbox = await openMailbox(mailDir);
  const smtp = await serveSmtp({ host, port: smtpPort, mailbox, logger });
  const handler = mailPages({ mailbox, logger });
  const http = await serveHttp({ host, port: httpPort, handler, connectionAgeMs: null });
  logger.info({ smtp_port: smtp.port, http_port: http.port }, 'listening');
  return {
    health: await watchHealth({ dependencies: [], logger }),
    smtpPort: smtp.port,
    httpPort: http.port,
    async stop() {
      await Promise.all([smtp.stop(), http.stop()]);
    },
  };
}
