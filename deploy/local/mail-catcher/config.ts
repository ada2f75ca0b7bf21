import { oneOf, port, text } from '@pfq/kit/config';
import type { Config } from '@pfq/kit/config';
import { serviceSettings } from '@pfq/kit/service-settings';

/** Everything that is caught can be read by whoever reaches it, so it is for this machine only. */
export const settings = {
  listenHost: oneOf('LISTEN_HOST', {
    doc: 'Address to listen on, of this machine only.',
    choices: ['127.0.0.1', '::1'],
    fallback: '127.0.0.1',
  }),
  smtpPort: port('SMTP_PORT', { doc: 'Port that mail is sent to.', fallback: '1025' }),
  httpPort: port('HTTP_PORT', { doc: 'Port of the page of caught mail.', fallback: '8025' }),
  mailDir: text('MAIL_DIR', { doc: 'Folder that mail is kept in, a file each.' }),
  logLevel: serviceSettings.logLevel,
  logFormat: serviceSettings.logFormat,
};

export type MailCatcherConfig = Config<typeof settings>;
