/** Rational arithmetic for the oracle, apart from the engine's own. Only `reduce` brings a value to lowest terms. */
export type Rational = { readonly top: bigint; readonly bottom: bigint };

export function decimal(text: string): Rational {
  const [wholePart = '', decimals = ''] = text.split('.');
  return ratio(BigInt(wholePart + decimals), 10n ** BigInt(decimals.length));
}

export function whole(value: bigint | number): Rational {
  return { top: BigInt(value), bottom: 1n };
}

/** The bottom is kept above zero. */
export function ratio(top: bigint, bottom: bigint): Rational {
  return bottom < 0n ? { top: -top, bottom: -bottom } : { top, bottom };
}

export function plus(left: Rational, right: Rational): Rational {
  return ratio(left.top * right.bottom + right.top * left.bottom, left.bottom * right.bottom);
}

export function minus(left: Rational, right: Rational): Rational {
  return ratio(left.top * right.bottom - right.top * left.bottom, left.bottom * right.bottom);
}

export function times(left: Rational, right: Rational): Rational {
  return ratio(left.top * right.top, left.bottom * right.bottom);
}

export function divide(left: Rational, right: Rational): Rational {
  return ratio(left.top * right.bottom, left.bottom * right.top);
}

export function power(base: Rational, exponent: number): Rational {
  return ratio(base.top ** BigInt(exponent), base.bottom ** BigInt(exponent));
}

export function below(left: Rational, right: Rational): boolean {
  return left.top * right.bottom < right.top * left.bottom;
}

export function same(left: Rational, right: Rational): boolean {
  return left.top * right.bottom === right.top * left.bottom;
}

export function smaller(left: Rational, right: Rational): Rational {
  return below(right, left) ? right : left;
}

export function larger(left: Rational, right: Rational): Rational {
  return below(left, right) ? right : left;
}

export function floor(value: Rational): bigint {
  const quotient = value.top / value.bottom;
  return value.top < 0n && quotient * value.bottom !== value.top ? quotient - 1n : quotient;
}

export function ceiling(value: Rational): bigint {
  return -floor(ratio(-value.top, value.bottom));
}

/** Lowest terms, where a loop would let the numbers grow. */
export function reduce(value: Rational): Rational {
  let [left, right] = [value.top < 0n ? -value.top : value.top, value.bottom];
  while (right !== 0n) [left, right] = [right, left % right];
  return ratio(value.top / left, value.bottom / left);
}
