import { Decimal } from 'decimal.js';

/** A deal in the terms of the pricing model: money in dollars, rates as fractions, one pair of dates. */
export type DecimalDeal = {
  readonly policies: readonly DecimalPolicy[];
  /** From effective to expiration date. */
  readonly days: number;
  readonly wholeMonths: number;
  /** The one rate of a flat sheet. */
  readonly baseRate: string;
};

type DecimalPolicy = {
  readonly premium: string;
  readonly earnedFees: string;
  readonly refundableFees: string;
  readonly minimumEarnedRate: string;
  readonly ratingAddOn: string;
  readonly auditable: boolean;
};

/** What is compared with the engine: the public figures of an option, as text. */
export type DecimalOption = {
  readonly id: string;
  readonly apr: string;
  readonly downPayment: string;
  readonly amountFinanced: string;
  readonly monthlyPayment: string;
  readonly financeCharge: string;
  readonly totalOfPayments: string;
  readonly totalCost: string;
  readonly spreadClamped: boolean;
};

const NEWTON_IS_CLOSE = new Decimal('1e-30');
const DAYS_PER_MONTH = () => new Decimal(365).div(12);

Decimal.set({ precision: 34, rounding: Decimal.ROUND_HALF_UP });

/** The option grid as one writes it with decimal.js, formula by formula. Right wherever no figure lies on a tie. */
export function priceWithDecimals(deal: DecimalDeal): DecimalOption[] {
  const premium = sum(deal.policies.map((policy) => new Decimal(policy.premium)));
  const fees = sum(deal.policies.map((policy) => new Decimal(policy.earnedFees).plus(policy.refundableFees)));
  const total = premium.plus(fees);
  const minimumEarned = sum(deal.policies.map((policy) => new Decimal(policy.premium).times(policy.minimumEarnedRate)))
    .div(premium)
    .toDecimalPlaces(4);
  const firstExposure = DAYS_PER_MONTH().plus(20).div(deal.days);
  const wanted = Decimal.max('0.20', minimumEarned, firstExposure).times(100).ceil();
  const center = Decimal.min(85, wanted).toNumber();
  const longest = Math.max(1, Math.min(10, deal.wholeMonths - 2));
  const options: DecimalOption[] = [];
  for (const percent of [center - 10, center - 5, center, center + 5, center + 10]) {
    for (let term = Math.max(1, longest - 5); term <= longest; term += 1) {
      options.push(priceOption({ deal, premium, total, percent, term }));
    }
  }
  return options;
}

type OptionParts = { deal: DecimalDeal; premium: Decimal; total: Decimal; percent: number; term: number };

function priceOption({ deal, premium, total, percent, term }: OptionParts): DecimalOption {
  const downPayment = total.times(percent).div(100).toDecimalPlaces(2);
  const financed = total.minus(downPayment);
  const gap = findGap({ deal, financed, term });
  const spread = findSpread({ deal, premium, total, gap });
  const clamped = Decimal.min('0.09', Decimal.max('0.03', spread));
  const rounded = clamped.plus(deal.baseRate).toDecimalPlaces(4);
  const rate = Decimal.min('0.18', rounded);
  let payment = levelPayment({ financed, rate, term }).toDecimalPlaces(2);
  let apr = solveApr({ financed, payment, term, guess: rate });
  if (apr.gt('0.18')) {
    payment = payment.minus('0.01');
    apr = solveApr({ financed, payment, term, guess: rate });
  }
  const totalOfPayments = payment.times(term);
  return {
    id: `opt_${percent}_${term}`,
    apr: apr.toFixed(4),
    downPayment: downPayment.toFixed(2),
    amountFinanced: financed.toFixed(2),
    monthlyPayment: payment.toFixed(2),
    financeCharge: totalOfPayments.minus(financed).toFixed(2),
    totalOfPayments: totalOfPayments.toFixed(2),
    totalCost: totalOfPayments.plus(downPayment).toFixed(2),
    spreadClamped: !clamped.eq(spread) || rounded.gt('0.18'),
  };
}

function findGap({ deal, financed, term }: { deal: DecimalDeal; financed: Decimal; term: number }): Decimal {
  const monthlyRate = new Decimal('0.09').div(12);
  const wait = DAYS_PER_MONTH().plus(80).div(365);
  const growth = new Decimal('0.09').times(wait).plus(1);
  const payment = levelPayment({ financed, rate: new Decimal('0.09'), term });
  let balance = financed;
  let worst = new Decimal(0);
  for (let paid = 0; paid < term; paid += 1) {
    const elapsed = DAYS_PER_MONTH()
      .times(paid + 1)
      .plus(20);
    const usedUp = Decimal.min(1, elapsed.div(deal.days));
    const collateral = sum(
      deal.policies.map((policy) => {
        const refundable = new Decimal(policy.premium).plus(policy.refundableFees);
        return new Decimal(1).minus(Decimal.max(policy.minimumEarnedRate, usedUp)).times(refundable);
      }),
    );
    worst = Decimal.max(worst, balance.times(growth).minus(collateral).div(financed));
    balance = balance.times(monthlyRate.plus(1)).minus(payment);
  }
  return worst.toDecimalPlaces(4);
}

function findSpread(parts: { deal: DecimalDeal; premium: Decimal; total: Decimal; gap: Decimal }): Decimal {
  const { deal, premium, total, gap } = parts;
  const weighted = deal.policies.map((policy) =>
    new Decimal(policy.ratingAddOn)
      .plus(policy.auditable ? '0.0025' : 0)
      .times(policy.premium)
      .div(premium),
  );
  return sum(weighted)
    .plus('0.04')
    .plus(Decimal.min('0.03', new Decimal(218).div(total)))
    .plus(gap.times('0.10'));
}

function levelPayment({ financed, rate, term }: { financed: Decimal; rate: Decimal; term: number }): Decimal {
  const monthlyRate = rate.div(12);
  return financed.times(monthlyRate).div(new Decimal(1).minus(monthlyRate.plus(1).pow(-term)));
}

/** Newton's method on the present value of the payments, from the rate that they were computed from. */
function solveApr(loan: { financed: Decimal; payment: Decimal; term: number; guess: Decimal }): Decimal {
  let monthlyRate = loan.guess.div(12);
  for (;;) {
    const discount = new Decimal(1).div(monthlyRate.plus(1));
    let factor = new Decimal(1);
    let value = new Decimal(0);
    let slope = new Decimal(0);
    for (let month = 1; month <= loan.term; month += 1) {
      factor = factor.times(discount);
      value = value.plus(loan.payment.times(factor));
      slope = slope.minus(loan.payment.times(month).times(factor).times(discount));
    }
    const change = value.minus(loan.financed).div(slope);
    monthlyRate = monthlyRate.minus(change);
    if (change.abs().lt(NEWTON_IS_CLOSE)) return monthlyRate.times(12);
  }
}

function sum(values: readonly Decimal[]): Decimal {
  return values.reduce((total, value) => total.plus(value), new Decimal(0));
}
