import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../errors.ts';

const ACTOR = 'pfq-actor';

/** Metadata of an operator's call: the token, and who is acting, for the audit log. */
export function operatorHeaders({ token, actor }: { token: string; actor: string }): Headers {
  return new Headers({ authorization: `Bearer ${token}`, [ACTOR]: encodeURIComponent(actor) });
}

const LONGEST_ACTOR = 200;

/** Who is acting, as the operator's command says, cut at 200 characters. Only for calls that passed requireOperator. */
export function actorOf(headers: Headers): string {
  return (
    decode(headers.get(ACTOR) ?? '')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, LONGEST_ACTOR) || 'operator'
  );
}

function decode(actor: string): string {
  try {
    return decodeURIComponent(actor);
  } catch {
    return actor;
  }
}

export function requireOperator(headers: Headers, token: string): void {
  const given = headers.get('authorization') ?? '';
  if (!timingSafeEqual(sha256(given), sha256(`Bearer ${token}`))) {
    throw new ServiceError('INVALID_API_KEY', {
      message: 'The operator token is missing or wrong. Set PFQ_OPERATOR_TOKEN.',
    });
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
