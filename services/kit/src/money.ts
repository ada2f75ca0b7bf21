/** US dollars as whole cents. A bigint, so that no sum of any size can lose a cent. */
export type Cents = bigint & { readonly unit: 'cents' };

const MONEY = /^-?\d{1,9}\.\d{2}$/;

export const ZERO_CENTS = toCents(0n);

export function toCents(cents: bigint): Cents {
  return cents as Cents;
}

/** Reads the public spelling of money, "1234.50": up to nine digits, exactly two decimals. Null for any other text. */
export function parseMoney(text: string): Cents | null {
  return MONEY.test(text) ? toCents(BigInt(text.replace('.', ''))) : null;
}

/** Writes the public spelling of money: 123450n is "1234.50", -5n is "-0.05". */
export function formatMoney(cents: Cents): string {
  const digits = (cents < 0n ? 0n - cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function sumCents(amounts: readonly Cents[]): Cents {
  return toCents(amounts.reduce((sum, amount) => sum + amount, 0n));
}
