import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { callerHeaders } from '@pfq/kit/caller';
import type { Page } from '../pages/page.ts';
import { callerAddress } from '../requests/caller-address.ts';
import { isOwnForm } from '../requests/own-form.ts';
import { readForm } from '../requests/read-form.ts';
import type { Target } from '../requests/target.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';
import { showQuote } from './show-quote.ts';
import { showReview } from './show-review.ts';
import { takeInterest } from './take-interest.ts';

/** One request, and what was made out of its target. */
export type Asking = {
  readonly request: Request;
  readonly response: Response;
  readonly target: Target;
  readonly query: URLSearchParams;
  readonly exchange: Exchange;
};

type LinkAsking = Asking & { readonly target: Extract<Target, { kind: 'link' }> };

type Deps = LinkDeps & {
  readonly origin: string;
  readonly prefix: string;
  readonly requestTimeoutMs: number;
};

/** Only what has the form of a link is looked up. */
export async function answerTarget(asking: Asking, deps: Deps): Promise<Answer> {
  const { request, target } = asking;
  switch (target.kind) {
    case 'link':
      return answerLink({ ...asking, target }, deps);
    case 'robots':
      return isRead(request) ? { kind: 'robots' } : onlyRead();
    case 'no-link':
    case 'nothing':
      return page({ kind: 'unknown' });
  }
}

async function answerLink(asking: LinkAsking, deps: Deps): Promise<Answer> {
  const { request, target } = asking;
  if (target.step === 'interest') return answerInterest(asking, deps);
  if (!isRead(request)) return onlyRead();
  const link = linkRequest(asking, deps);
  return target.step === 'review' ? showReview(link, deps) : showQuote(link, deps);
}

/** Whoever comes to the form's address without the form, by a reload or a bookmark, is led back to the quote. */
async function answerInterest(asking: LinkAsking, deps: Deps): Promise<Answer> {
  const { request, response, exchange } = asking;
  if (isRead(request)) {
    const { paths } = linkRequest(asking, deps);
    return { kind: 'see-other', path: `${paths.quote}?lang=${exchange.language}`, after: 'no-form' };
  }
  if (request.method !== 'POST') return { kind: 'other-method', allow: 'GET, HEAD, POST' };
  if (!isOwnForm(request.headers, deps.origin)) return page({ kind: 'foreign-form' });
  const form = await readForm(request, response);
  if (form.kind === 'too-large') return page({ kind: 'too-large' });
  if (form.kind === 'foreign') return page({ kind: 'foreign-form' });
  const link = linkRequest(asking, deps);
  exchange.sent = { path: link.paths.interest, fields: form.fields };
  return takeInterest(link, form.fields, deps);
}

/** The request's time begins here. */
function linkRequest({ request, target, query, exchange }: LinkAsking, deps: Deps): LinkRequest {
  const { clock, prefix, requestTimeoutMs } = deps;
  const { requestId, language } = exchange;
  const quote = `${prefix}/q/${target.token}`;
  const deadline = clock() + requestTimeoutMs;
  return {
    linkHash: createHash('sha256').update(target.token).digest(),
    caller: callerAddress(request.ip),
    paths: { quote, review: `${quote}/review`, interest: `${quote}/interest?lang=${language}` },
    query,
    exchange,
    headers: callerHeaders({ requestId }),
    remainingMs: () => Math.max(0, Math.floor(deadline - clock())),
  };
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function onlyRead(): Answer {
  return { kind: 'other-method', allow: 'GET, HEAD' };
}

function page(shown: Page): Answer {
  return { kind: 'page', page: shown };
}
