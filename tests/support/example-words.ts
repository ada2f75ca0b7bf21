/** What invented deals are made of: places of Texas, names of no real business, carriers as the public knows them. */
export const WORDS = {
  places: words(
    'Alamo|Bayou City|Blackland|Bluebonnet|Brazos|Caprock|Cypress|Gulf Coast|Hill Country|Live Oak|Mesquite|Pecos',
  ),
  trades: words(
    'Auto Repair|Builders|Catering|Electric|Freight|Landscaping|Lumber|Machine Works|Plumbing|Roofing|Towing',
  ),
  suffixes: words('LLC|LLC|Inc.|LP|Co.'),
  streets: words('Commerce St|Congress Ave|Elm St|Fannin St|Guadalupe St|Lamar Blvd|Main St|Travis St|Westheimer Rd'),
  /** City and ZIP code. */
  cities: words(
    'Amarillo 79101|Austin 78701|Corpus Christi 78401|Dallas 75201|El Paso 79901|Fort Worth 76102|Houston 77002|' +
      'Laredo 78040|Lubbock 79401|McAllen 78501|Plano 75074|San Antonio 78205|Tyler 75702|Waco 76701',
  ),
  carriers: words(
    'Charter Oak Fire Insurance Company|Colony Insurance Company|Evanston Insurance Company|Great West Casualty Company|' +
      'Hartford Fire Insurance Company|Kinsale Insurance Company|Mid-Continent Casualty Company|Nautilus Insurance Company|' +
      'Northland Insurance Company|Ohio Security Insurance Company|Philadelphia Indemnity Insurance Company|' +
      'Scottsdale Insurance Company|Texas Mutual Insurance Company|Travelers Indemnity Company|Zurich American Insurance Company',
  ),
  /** What policy numbers begin with. */
  lines: words('GL|CPP|BAP|WC|UMB|IM'),
} as const;

/** What must be done, by the code of the requirement; the last two are owed after the agreement is executed. */
export const DESCRIPTIONS = {
  BROKER_REVIEW_REQUIRED: 'Review the terms and confirm them before the agreement is sent.',
  NO_POLICIES: 'Add at least one policy to finance.',
  INSURED_ADDRESS_INCOMPLETE: "Complete the insured's address.",
  CARRIER_UNMATCHED: 'Name the carrier as its policy documents do, so that it can be found.',
  AGREEMENT_DECLINED: 'The borrower declined the agreement: change the terms, or cancel the application.',
  POLICY_NUMBER_NEEDED: 'Send the policy number once the carrier has issued it.',
  FINAL_POLICY_NEEDED: 'Send the policy that takes the place of the binder or quote.',
} as const;

function words(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text.split('|');
  return [first, ...others];
}
