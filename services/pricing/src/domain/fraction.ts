/** An exact rational number, denominator above zero. Never reduced: sizes stay small and nothing hangs on lowest terms. */
export type Fraction = { readonly numerator: bigint; readonly denominator: bigint };

export function fraction(numerator: bigint, denominator: bigint): Fraction {
  return { numerator, denominator };
}

/** Decimals keep their size: where one denominator divides the other, the larger one serves both. */
export function add(left: Fraction, right: Fraction): Fraction {
  if (left.denominator % right.denominator === 0n) return addFiner(right, left);
  if (right.denominator % left.denominator === 0n) return addFiner(left, right);
  return fraction(
    left.numerator * right.denominator + right.numerator * left.denominator,
    left.denominator * right.denominator,
  );
}

export function subtract(left: Fraction, right: Fraction): Fraction {
  return add(left, fraction(-right.numerator, right.denominator));
}

export function multiply(left: Fraction, right: Fraction): Fraction {
  return fraction(left.numerator * right.numerator, left.denominator * right.denominator);
}

/** Negative, zero or positive as `left` is below, equal to or above `right`. */
export function compare(left: Fraction, right: Fraction): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function smaller(left: Fraction, right: Fraction): Fraction {
  return compare(left, right) <= 0 ? left : right;
}

export function larger(left: Fraction, right: Fraction): Fraction {
  return compare(left, right) >= 0 ? left : right;
}

/** Half-up to a whole number of `1 / unitsPerOne`: a rate in basis points with 10,000. For values of zero and above. */
export function roundHalfUp(value: Fraction, unitsPerOne: bigint): bigint {
  return (2n * value.numerator * unitsPerOne + value.denominator) / (2n * value.denominator);
}

/** The nearest double, give or take three units in the last place. For numerators and denominators below 1e308. */
export function toNumber(value: Fraction): number {
  return Number(value.numerator) / Number(value.denominator);
}

function addFiner(coarse: Fraction, fine: Fraction): Fraction {
  const scale = fine.denominator / coarse.denominator;
  return fraction(coarse.numerator * scale + fine.numerator, fine.denominator);
}
