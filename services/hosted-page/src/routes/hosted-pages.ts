import type { RequestListener } from 'node:http';
import express from 'express';
import { newId } from '@pfq/kit/ids';
import type { Logger } from '@pfq/kit/log';
import { GUESS_RULES, limitGuesses } from '../domain/guess-limit.ts';
import { readPath, routeOf, single, splitTarget, toOriginForm } from '../requests/target.ts';
import { reviewNonces } from '../review/nonce.ts';
import { answerTarget } from './answer-target.ts';
import { converse } from './conversation.ts';
import type { Exchange } from './exchange.ts';
import { preferredLanguage, readLanguage } from '../requests/language.ts';
import type { LinkDeps } from './link-request.ts';

export type HostedPagesOptions = Pick<LinkDeps, 'store' | 'clock'> & {
  readonly hostedBaseUrl: string;
  /** Newest first. */
  readonly reviewSecrets: readonly [string, ...string[]];
  readonly trustedProxies: number;
  /** Longest time from the end of a request to its answer. */
  readonly requestTimeoutMs: number;
  readonly logger: Pick<Logger, 'info' | 'error'>;
};

/** The pages behind hosted links, below the path of the base address. GET and HEAD change nothing. */
export function hostedPages(options: HostedPagesOptions): RequestListener {
  const { origin, pathname } = new URL(options.hostedBaseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const nonces = reviewNonces(options.reviewSecrets);
  const deps = { ...options, origin, prefix, nonces, guesses: limitGuesses(GUESS_RULES, options.clock) };
  const app = express();
  app.disable('x-powered-by').set('trust proxy', options.trustedProxies);
  app.use((request, response) => {
    const { path, query } = splitTarget(request.originalUrl);
    const target = readPath(path, prefix);
    const isShown = target.kind === 'link' && target.step !== 'interest';
    const exchange: Exchange = {
      requestId: newId('req_', options.clock()),
      route: routeOf(target),
      address: isShown ? { path, query } : null,
      language: readLanguage(single(query, 'lang')) ?? preferredLanguage(request),
    };
    const answer = () => answerTarget({ request, response, target, query, exchange }, deps);
    return converse(request, response, { ...options, exchange, answer });
  });
  return (request, response) => {
    request.url = toOriginForm(request.url ?? '');
    app(request, response);
  };
}
