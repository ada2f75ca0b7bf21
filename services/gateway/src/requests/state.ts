import { shortened } from '@pfq/kit/texts';
import { soundString } from './texts.ts';
import type { Schema } from './schema.ts';

/** USPS codes (Publication 28, appendix B) of the 50 states, the District of Columbia and five territories. */
const STATES = new Map([
  ['AL', 'Alabama'],
  ['AK', 'Alaska'],
  ['AZ', 'Arizona'],
  ['AR', 'Arkansas'],
  ['CA', 'California'],
  ['CO', 'Colorado'],
  ['CT', 'Connecticut'],
  ['DE', 'Delaware'],
  ['FL', 'Florida'],
  ['GA', 'Georgia'],
  ['HI', 'Hawaii'],
  ['ID', 'Idaho'],
  ['IL', 'Illinois'],
  ['IN', 'Indiana'],
  ['IA', 'Iowa'],
  ['KS', 'Kansas'],
  ['KY', 'Kentucky'],
  ['LA', 'Louisiana'],
  ['ME', 'Maine'],
  ['MD', 'Maryland'],
  ['MA', 'Massachusetts'],
  ['MI', 'Michigan'],
  ['MN', 'Minnesota'],
  ['MS', 'Mississippi'],
  ['MO', 'Missouri'],
  ['MT', 'Montana'],
  ['NE', 'Nebraska'],
  ['NV', 'Nevada'],
  ['NH', 'New Hampshire'],
  ['NJ', 'New Jersey'],
  ['NM', 'New Mexico'],
  ['NY', 'New York'],
  ['NC', 'North Carolina'],
  ['ND', 'North Dakota'],
  ['OH', 'Ohio'],
  ['OK', 'Oklahoma'],
  ['OR', 'Oregon'],
  ['PA', 'Pennsylvania'],
  ['RI', 'Rhode Island'],
  ['SC', 'South Carolina'],
  ['SD', 'South Dakota'],
  ['TN', 'Tennessee'],
  ['TX', 'Texas'],
  ['UT', 'Utah'],
  ['VT', 'Vermont'],
  ['VA', 'Virginia'],
  ['WA', 'Washington'],
  ['WV', 'West Virginia'],
  ['WI', 'Wisconsin'],
  ['WY', 'Wyoming'],
  ['DC', 'District of Columbia'],
  ['PR', 'Puerto Rico'],
  ['GU', 'Guam'],
  ['VI', 'Virgin Islands'],
  ['AS', 'American Samoa'],
  ['MP', 'Northern Mariana Islands'],
]);

const CODES_BY_NAME = new Map(Array.from(STATES, ([code, name]) => [name.toLowerCase(), code]));
CODES_BY_NAME.set('u.s. virgin islands', 'VI');

/** A two-letter USPS code, spelled exactly. Every other string, a blank one too, is a matter of format. */
export const state: Schema<string> = {
  read(value, place) {
    const sent = soundString(value, place);
    if (sent === undefined || STATES.has(sent)) return sent;
    const code = CODES_BY_NAME.get(sent.trim().toLowerCase()) ?? capitals(sent);
    const example = code === undefined ? 'such as "TX"' : `"${code}"`;
    const what = `must be a two-letter USPS code, ${example}; ${shortened(sent)} was sent.`;
    return place.refuse('INVALID_FORMAT', what);
  },
  toJsonSchema: () => ({ type: 'string', enum: [...STATES.keys()] }),
};

function capitals(sent: string): string | undefined {
  const code = sent.trim().toUpperCase();
  return STATES.has(code) ? code : undefined;
}
