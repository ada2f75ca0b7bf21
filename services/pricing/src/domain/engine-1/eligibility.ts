import { formatMoney } from '@pfq/kit/money';
import { isWeaker } from '../am-best.ts';
import { daysBetween } from '../calendar.ts';
import type { Deal } from '../deal.ts';
import { isIssuerDeclined } from '../declined.ts';
import { formatPercent } from '../decimal-text.ts';
import type { Check, CheckCode, Eligibility, Remark } from '../priced-deal.ts';
import type { ReferenceData } from '../reference.ts';
import type { DealFigures, PolicyFigures } from './figures.ts';

type Facts = { readonly deal: Deal; readonly figures: DealFigures; readonly reference: ReferenceData };

/** A check as listed, with what to tell the caller where it failed. */
type Finding = Omit<Check, 'code' | 'passed'> & { readonly failure: { param: string; message: string } | null };

/** In the order in which they are listed. All are always evaluated. */
const RULES: readonly (readonly [CheckCode, (facts: Facts) => Finding])[] = [
  // A deal that reaches pricing was validated: this one is listed for completeness.
  ['INPUT_VALID', () => ({ failure: null })],
  ['INSURED_STATE', checkState],
  ['PREMIUM_MIN', checkPremiumMin],
  ['PREMIUM_MAX', checkPremiumMax],
  ['AM_BEST_MIN', checkAmBest],
  ['ISSUER', checkIssuer],
  ['COVERAGE', checkCoverage],
  ['POLICY_BACKDATE', checkBackdate],
  ['DATE_UNIFORMITY', checkDateUniformity],
  ['POLICY_TERM', checkPolicyTerm],
  ['MINIMUM_EARNED_MAX', checkMinimumEarned],
];

export function judgeEligibility(facts: Facts): Eligibility {
  const checks: Check[] = [];
  const reasons: Remark[] = [];
  for (const [code, evaluate] of RULES) {
    const { failure, ...shown } = evaluate(facts);
    checks.push({ code, passed: failure === null, ...shown });
    if (failure !== null) reasons.push({ code, ...failure });
  }
  return { status: reasons.length === 0 ? 'eligible' : 'ineligible', checks, reasons };
}

function checkState({ deal, reference }: Facts): Finding {
  const { state } = deal.insured;
  const { financedStates } = reference.settings;
  const limit = financedStates.join(', ');
  const message = `Insureds in ${state} are not financed, only those in ${limit}.`;
  const failure = financedStates.includes(state) ? null : { param: 'insured.address.state', message };
  return { limit, actual: state, failure };
}

function checkPremiumMin({ figures, reference }: Facts): Finding {
  const [limit, actual] = [formatMoney(reference.settings.premiumMin), formatMoney(figures.total)];
  const message = `Premium, taxes and fees come to ${actual}; at least ${limit} is needed.`;
  const failure = figures.total < reference.settings.premiumMin ? { param: 'policies', message } : null;
  return { limit, actual, failure };
}

function checkPremiumMax({ figures, reference }: Facts): Finding {
  const [limit, actual] = [formatMoney(reference.settings.premiumMax), formatMoney(figures.total)];
  const message = `Premium, taxes and fees come to ${actual}; at most ${limit} is financed.`;
  const failure = figures.total > reference.settings.premiumMax ? { param: 'policies', message } : null;
  return { limit, actual, failure };
}

function checkAmBest({ deal, figures, reference }: Facts): Finding {
  const limit = reference.settings.minimumAmBestRating;
  const { policies } = figures;
  const weakest = policies.reduce((worst, policy) => (isWeaker(policy.rating, worst.rating) ? policy : worst));
  const failing = policies.findIndex((policy) => isWeaker(policy.rating, limit));
  const shown = { limit, actual: weakest.rating, basis: findRatingBasis(policies) };
  const failed = policies[failing];
  if (failed === undefined) return { ...shown, failure: null };
  const name = deal.policies[failing]?.carrier.name ?? '';
  const message = `AM Best rates ${name} ${failed.rating}; ${limit} or better is needed.`;
  return { ...shown, failure: { param: `policies[${failing}].carrier`, message } };
}

function findRatingBasis(policies: readonly PolicyFigures[]): 'am_best' | 'partially_assumed' | 'assumed' {
  const assumed = policies.filter((policy) => policy.ratingAssumed).length;
  if (assumed === 0) return 'am_best';
  return assumed === policies.length ? 'assumed' : 'partially_assumed';
}

function checkIssuer({ deal, figures, reference }: Facts): Finding {
  const failing = deal.policies.flatMap(({ carrier: { name } }, index) => {
    const found = figures.policies[index]?.carrier ?? null;
    return isIssuerDeclined(reference.declined, { name, found }) ? [{ name, param: `policies[${index}].carrier` }] : [];
  });
  return findDeclined(failing, 'carrier');
}

function checkCoverage({ deal, reference }: Facts): Finding {
  const failing = deal.policies.flatMap(({ coverages }, index) =>
    coverages.flatMap(({ type }, position) =>
      reference.declined.coverages.has(type)
        ? [{ name: type, param: `policies[${index}].coverages[${position}].type` }]
        : [],
    ),
  );
  return findDeclined(failing, 'coverage');
}

function findDeclined(failing: readonly { name: string; param: string }[], what: string): Finding {
  const [first] = failing;
  if (first === undefined) return { failure: null };
  const actual = [...new Set(failing.map(({ name }) => name))].join(', ');
  return {
    actual,
    failure: { param: first.param, message: `Not financed by decision of the lender: ${what} ${actual}.` },
  };
}

function checkBackdate({ deal, figures, reference }: Facts): Finding {
  const { backdateMaxDays } = reference.settings;
  const daysBack = Math.max(0, daysBetween(figures.effectiveDate, deal.today));
  const [limit, actual] = [`${backdateMaxDays} days`, `${daysBack} days`];
  const failing = deal.policies.findIndex((policy) => daysBetween(policy.effectiveDate, deal.today) > backdateMaxDays);
  if (failing === -1) return { limit, actual, failure: null };
  const message = `The earliest policy began ${actual} before ${deal.today}; at most ${limit} are allowed.`;
  return { limit, actual, failure: { param: `policies[${failing}].effective_date`, message } };
}

function checkDateUniformity({ figures }: Facts): Finding {
  const message = 'Policies on one loan must share the same effective and expiration dates. Quote the others apart.';
  return { failure: figures.datesAgree ? null : { param: 'policies', message } };
}

function checkPolicyTerm({ figures, reference }: Facts): Finding {
  const { policyTermMinMonths } = reference.settings;
  const [limit, actual] = [`${policyTermMinMonths} months`, `${figures.wholeMonths} months`];
  const failing = figures.policies.findIndex((policy) => policy.wholeMonths < policyTermMinMonths);
  if (failing === -1) return { limit, actual, failure: null };
  const message = `The shortest policy runs ${actual}; at least ${limit} are needed.`;
  return { limit, actual, failure: { param: `policies[${failing}].expiration_date`, message } };
}

function checkMinimumEarned({ figures, reference }: Facts): Finding {
  const { minimumEarnedMax } = reference.settings;
  const earned = figures.weightedMinimumEarnedBasisPoints;
  const [limit, actual] = [formatPercent(minimumEarnedMax), formatPercent(earned)];
  const message = `${actual} of the premium is earned at once; at most ${limit} is financed.`;
  return { limit, actual, failure: earned > minimumEarnedMax ? { param: 'policies', message } : null };
}
