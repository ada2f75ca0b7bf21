import { h, type JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ClosedPage } from './closed-page.ts';
import { InterestedPage } from './interested-page.ts';
import { NoticePage } from './notice-page.ts';
import type { Frame, Page } from './page.ts';
import { QuotePage } from './quote-page.ts';
import { ReviewPage } from './review-page.ts';

/** The whole HTML document of a page. The same page always gives the same text. */
export function renderPage(page: Page, frame: Frame): string {
  return `<!doctype html>${renderToString(toElement(page, frame))}`;
}

function toElement(page: Page, frame: Frame): JSX.Element {
  switch (page.kind) {
    case 'quote':
      return h(QuotePage, { page, frame });
    case 'review':
      return h(ReviewPage, { page, frame });
    case 'interested':
      return h(InterestedPage, { page, frame });
    case 'expired':
    case 'ineligible':
      return h(ClosedPage, { page, frame });
    case 'replaced':
    case 'unknown':
    case 'foreign-form':
    case 'too-many':
    case 'too-large':
    case 'unavailable':
    case 'failed':
      return h(NoticePage, { page, frame });
  }
}
