import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '@pfq/kit/clock';
import { OutcomeUnknownError, ServiceError, unavailable } from '@pfq/kit/errors';
import type { Logger } from '@pfq/kit/log';
import { judge, mayBeLost, recordLost } from '../domain/idempotency.ts';
import type { Claim, KeyRecord, RecordedAnswer } from '../domain/idempotency.ts';
import type { IdempotencyStore } from '../storage/idempotency-store.ts';
import type { Answer } from './answer.ts';
import type { AcceptedRequest, Write } from './endpoint.ts';
import { freeLater } from './free-later.ts';
import { countingOutcomes } from './once-outcomes.ts';

export type OnceDeps = {
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
};

/** A request that came with an Idempotency-Key. */
export type KeyedRequest = Pick<AcceptedRequest, 'access' | 'caller' | 'version' | 'remainingMs' | 'body'> & {
  readonly key: string;
  readonly method: string;
  /** As sent, not decoded, without the query. */
  readonly target: string;
  /** The answer that the caller gets for what was thrown. */
  readonly refuse: (error: unknown) => Answer;
};

/** A write that holds its key. */
type Holding = KeyedRequest & OnceDeps & { readonly write: Write; readonly claim: Claim; readonly claimedAtMs: number };

const REPEAT_DELAY_MS = 100;

/**
 * Performs a write unless its Idempotency-Key has been used: then replays what was answered. Successes and INTERNAL are
 * recorded, any other refusal frees the key. Throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_REQUEST_IN_PROGRESS, and
 * IDEMPOTENCY_RECORD_LOST once it is certain that the first request can make nothing any more.
 */
export function performOnce(write: Write, request: KeyedRequest, deps: OnceDeps): Promise<Answer> {
  return countingOutcomes((hold) => claimAndAnswer(write, request, { ...deps, hold }));
}

/** `hold` is told once the key is held. */
async function claimAndAnswer(
  write: Write,
  request: KeyedRequest,
  { hold, ...deps }: OnceDeps & { readonly hold: () => void },
): Promise<Answer> {
  const claim = toClaim(write, request);
  const claimedAtMs = deps.clock();
  for (;;) {
    const { record, now } = await untilDone(() => deps.idempotency.claim(claim), request).catch((error: unknown) => {
      if (error instanceof OutcomeUnknownError) void freeLater(claim, deps);
      return refuseUndone(error);
    });
    const step = judge(claim, record, now);
    if (step.kind === 'perform') {
      hold();
      return performAndRecord({ ...request, ...deps, write, claim, claimedAtMs });
    }
    if (step.kind === 'replay') return toReplay(step.answer(), step.first);
    // Whatever the first request does meanwhile, the next claim tells: it may finish, or free the key, or be lost.
    await write.giveUp(step.abandoned.writeId);
    await untilDone(() => deps.idempotency.markLost(step.abandoned), request).catch(refuseUndone);
  }
}

function toClaim({ broker, writeId }: Write, { access, caller, key, method, target, body }: KeyedRequest): Claim {
  return {
    agencyId: access.agencyId,
    mode: access.mode,
    key,
    owner: randomUUID(),
    method,
    path: target,
    bodyHash: createHash('sha256').update(body).digest(),
    brokerId: broker.id,
    writeId,
    requestId: caller.requestId,
  };
}

function toReplay({ status, version, body }: RecordedAnswer, { requestId, writeId }: KeyRecord): Answer {
  return { status, version, body, headers: { 'Idempotent-Replayed': 'true' }, replay: { requestId, writeId } };
}

async function performAndRecord(holding: Holding): Promise<Answer> {
  const answer = await perform(holding);
  if (await recordAnswer(answer, holding)) return answer;
  throw recordLost();
}

/** The answer to record. Throws what is not recorded, after the key was freed. */
async function perform(holding: Holding): Promise<Answer> {
  try {
    return await holding.write.perform();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'INTERNAL') return holding.refuse(error);
    // The write was refused because another request has given it up.
    if (error.code === 'IDEMPOTENCY_RECORD_LOST') throw recordLost(error);
    if (await freeKey(holding)) throw error;
    throw recordLost(error);
  }
}

/**
 * Whether the caller may have the answer: not where the key was lost. Where nothing can be recorded it may while nobody can
 * have been told that the key is lost; afterwards the key is lost for certain, or else nobody knows.
 */
async function recordAnswer({ status, body }: Answer, holding: Holding): Promise<boolean> {
  const { idempotency, write, claim, version, claimedAtMs, clock } = holding;
  try {
    return await untilDone(() => idempotency.finish(claim, { status, version, body }), holding);
  } catch (error) {
    tell(holding, error, 'an answer could not be recorded under its idempotency key');
    if (!mayBeLost(clock() - claimedAtMs)) return true;
    if (!(error instanceof ServiceError)) throw error;
    // What was not heard of may still arrive: before the key is told lost it is given up, or else nobody knows.
    await write.giveUp(claim.writeId).catch((failure: unknown) => {
      throw new OutcomeUnknownError(failure);
    });
    return false;
  }
}

/** Whether the caller may be refused as it was: not where the key is lost. */
async function freeKey(holding: Holding): Promise<boolean> {
  try {
    return await untilDone(() => holding.idempotency.release(holding.claim), holding);
  } catch (error) {
    tell(holding, error, 'an idempotency key could not be freed');
    void freeLater(holding.claim, holding);
    return true;
  }
}

function tell({ logger, caller }: Holding, error: unknown, message: string): void {
  logger.error({ err: error, request_id: caller.requestId }, message);
}

/** Before the work nothing is stored, so the caller may send its request again whatever became of the statement. */
function refuseUndone(error: unknown): never {
  throw error instanceof OutcomeUnknownError ? unavailable(error) : error;
}

/**
 * Carries out a statement that may be repeated: at least once, and while it fails in passing until the request's time is
 * over. Then throws SERVICE_UNAVAILABLE, or OutcomeUnknownError where one of the attempts may have been carried out.
 */
async function untilDone<T>(
  statement: () => Promise<T>,
  { remainingMs }: Pick<KeyedRequest, 'remainingMs'>,
): Promise<T> {
  let unknown: OutcomeUnknownError | undefined;
  for (;;) {
    try {
      return await statement();
    } catch (error) {
      if (error instanceof OutcomeUnknownError) unknown = error;
      else if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
      if (remainingMs() <= REPEAT_DELAY_MS) throw unknown ?? error;
    }
    await wait(REPEAT_DELAY_MS);
  }
}
