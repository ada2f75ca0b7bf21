/** The amounts of an option in the public API. */
export const AMOUNTS = [
  'down_payment',
  'amount_financed',
  'monthly_payment',
  'finance_charge',
  'total_of_payments',
  'total_cost',
] as const;

/** `14568.75` as `$14,568.75`. */
export function inDollars(amount: string): string {
  return `$${amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',')}`;
}
