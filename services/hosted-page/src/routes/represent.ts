import { renderPage } from '../pages/render.ts';
import { retryAfterOf, statusOf } from './answer.ts';
import type { Answer } from './answer.ts';
import { switchTo } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { SECURITY_HEADERS } from './headers.ts';

/** An answer as it goes out, but for its compression. */
export type Representation = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
};

/** Nothing here is for search engines, not even where a link was published. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

export function represent(answer: Answer, exchange: Exchange): Representation {
  const common = { ...SECURITY_HEADERS, 'Request-Id': exchange.requestId };
  switch (answer.kind) {
    case 'see-other':
      return { status: 303, headers: { ...common, Location: answer.path }, text: '' };
    case 'other-method':
      return { status: 405, headers: { ...common, Allow: answer.allow }, text: '' };
    case 'robots':
      return { status: 200, headers: { ...common, 'Content-Type': 'text/plain; charset=utf-8' }, text: ROBOTS };
    case 'page': {
      const { page } = answer;
      const { language } = exchange;
      const retryAfter = retryAfterOf(page);
      const headers = {
        ...common,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        ...(retryAfter !== null && { 'Retry-After': String(retryAfter) }),
      };
      const text = renderPage(page, { language, switchTo: switchTo(exchange) });
      return { status: statusOf(page), headers, text };
    }
  }
}
