import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { callerHeaders } from '@pfq/kit/caller';
import type { GuessLimit } from '../domain/guess-limit.ts';
import type { Page } from '../pages/page.ts';
import type { Target } from '../requests/target.ts';
import type { Answer, Exchange } from './answer.ts';
import { callerAddress } from './caller-address.ts';
import { readLanguage } from './language.ts';
import type { LinkDeps, LinkRequest } from './link-request.ts';
import { isOwnForm } from './own-form.ts';
import { readForm } from './read-form.ts';
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
  readonly guesses: GuessLimit;
  readonly requestTimeoutMs: number;
};

/** W3C Trace Context, version 00: anything else is not handed on. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Refuses every link of an address that has guessed too much: were known links still shown, guessing could go on. Counts what
 * leads nowhere, and nothing else.
 */
export async function answerTarget(asking: Asking, deps: Deps): Promise<Answer> {
  const { request, target } = asking;
  if (target.kind === 'nothing') return page({ kind: 'unknown' });
  if (target.kind === 'robots') return isRead(request) ? { kind: 'robots' } : onlyRead();
  const caller = callerAddress(request.ip);
  const retryAfterSeconds = deps.guesses.waitSeconds(caller, deps.clock());
  if (retryAfterSeconds !== null) return page({ kind: 'too-many', retryAfterSeconds });
  const answer = target.kind === 'link' ? await answerLink({ ...asking, target }, deps) : page({ kind: 'unknown' });
  if (answer.kind === 'page' && answer.page.kind === 'unknown') deps.guesses.countMiss(caller, deps.clock());
  return answer;
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
  if (isRead(request)) return { kind: 'see-other', path: linkRequest(asking, deps).paths.quote, after: 'no-form' };
  if (request.method !== 'POST') return { kind: 'other-method', allow: 'GET, HEAD, POST' };
  if (!isOwnForm(request.headers, deps.origin)) return page({ kind: 'foreign-form' });
  const form = await readForm(request, response);
  if (form.kind === 'too-large') return page({ kind: 'too-large' });
  if (form.kind === 'foreign') return page({ kind: 'foreign-form' });
  exchange.language = readLanguage(form.fields.get('lang')) ?? exchange.language;
  const link = linkRequest(asking, deps);
  exchange.sent = { path: link.paths.interest, fields: form.fields };
  return takeInterest(link, form.fields, deps);
}

/** The request's time begins here. */
function linkRequest({ request, target, query, exchange }: LinkAsking, deps: Deps): LinkRequest {
  const { clock, prefix, requestTimeoutMs } = deps;
  const quote = `${prefix}/q/${target.token}`;
  const deadline = clock() + requestTimeoutMs;
  const traceparent = request.get('traceparent') ?? '';
  const caller = { requestId: exchange.requestId, ...(TRACEPARENT.test(traceparent) && { traceparent }) };
  return {
    linkHash: createHash('sha256').update(target.token).digest(),
    paths: { quote, review: `${quote}/review`, interest: `${quote}/interest` },
    query,
    exchange,
    headers: callerHeaders(caller),
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
