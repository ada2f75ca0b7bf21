/** As much of the members from pricing as is read here. */
type PricedMembers = { readonly options: readonly { readonly id: string }[] };

/** The ids of the options that a quote offers, in its order; none for an ineligible quote. */
export function optionIdsOf(pricedMembers: Uint8Array): readonly string[] {
  const { options }: PricedMembers = JSON.parse(`{${new TextDecoder().decode(pricedMembers)}}`);
  return options.map(({ id }) => id);
}
