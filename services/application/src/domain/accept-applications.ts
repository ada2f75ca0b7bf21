import { isId } from '@pfq/kit/ids';
import { Place, validationFailed } from '@pfq/kit/problems';
import type { IncomingApplication, KnownApplication } from './application.ts';
import { checkApplication } from './check-application.ts';
import { id } from './checks.ts';
import type { IncomingDraft } from './draft.ts';

const MOST = 500;

/** The ids under which something could be stored already. */
export function idsOf(drafts: readonly IncomingDraft[]): readonly string[] {
  return drafts.map(({ application }) => application?.id ?? '').filter((text) => isId('app_', text));
}

/** Throws VALIDATION_FAILED where there are none, or more than one call takes. */
export function requireCount(drafts: readonly IncomingDraft[]): void {
  const place = sentApplications();
  if (drafts.length === 0) place.refuse('TOO_FEW', 'must have at least one item.');
  if (drafts.length > MOST) place.refuse('TOO_MANY', `must have at most ${MOST} items; ${drafts.length} were sent.`);
  if (place.problems.length > 0) throw validationFailed(place.problems);
}

/**
 * What was sent, if nothing at all is wrong with it, given what is `known` of the ids in it. Throws VALIDATION_FAILED
 * with every problem otherwise, application by application.
 */
export function acceptApplications(
  drafts: readonly IncomingDraft[],
  known: readonly KnownApplication[],
): readonly IncomingApplication[] {
  const all = sentApplications();
  const { problems } = all;
  const knownById = new Map(known.map((one) => [one.id, one]));
  const seen = new Set<string>();
  const accepted = drafts.filter((draft, index): draft is IncomingApplication => {
    const problemsBefore = problems.length;
    const place = all.item(index);
    checkIncoming(draft, place);
    if (draft.application !== null) {
      const { id: sent } = draft.application;
      checkKnown(draft, { known: knownById.get(sent), place });
      if (seen.has(sent)) place.member('id').refuse('INVALID_VALUE', 'was sent before in the same request.');
      seen.add(sent);
    }
    return problems.length === problemsBefore;
  });
  if (problems.length > 0) throw validationFailed(problems);
  return accepted;
}

function checkIncoming({ agencyId, livemode, application }: IncomingDraft, place: Place): void {
  id('agy_')(agencyId, place.member('agency_id'));
  if (!livemode) place.member('livemode').refuse('INVALID_VALUE', 'must be true: test data is not kept here.');
  if (application === null) place.refuse('REQUIRED', 'must have an application.');
  else checkApplication(application, place);
}

/** An application stays with its agency, and was created when it was created. */
function checkKnown(
  { agencyId, application }: IncomingDraft,
  { known, place }: { known: KnownApplication | undefined; place: Place },
): void {
  if (known === undefined) return;
  if (known.agencyId !== agencyId) {
    return place.member('id').refuse('INVALID_VALUE', 'is the id of an application of another agency.');
  }
  if (known.createdAt.getTime() === application?.createdAt?.getTime()) return;
  place.member('created_at').refuse('INVALID_VALUE', `never changes, and is ${known.createdAt.toISOString()}.`);
}

function sentApplications(): Place {
  return Place.whole('The call').member('applications');
}
