import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changed, fullRequest, problemsOf, refusalOf } from './sample-request.test-support.ts';

/** Codes and names of USPS Publication 28, appendix B: the states, the District of Columbia and five territories. */
const STATES = new Map(
  [
    'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware',
    'FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky',
    'LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri',
    'MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York',
    'NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island',
    'SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington',
    'WV West Virginia, WI Wisconsin, WY Wyoming, DC District of Columbia, PR Puerto Rico, GU Guam',
    'VI Virgin Islands, AS American Samoa, MP Northern Mariana Islands',
  ].flatMap((line) => line.split(', ').map((state) => [state.slice(0, 2), state.slice(3)] as const)),
);
const CAPITALS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const PATH = 'insured.address.state';

const withState = (sent: string) => changed(fullRequest(), PATH, sent);

describe('the state of an insured', () => {
  it('is one of 56 codes', () => {
    assert.equal(STATES.size, 56);
    for (const code of STATES.keys()) assert.deepEqual(problemsOf(withState(code)), [], code);
  });

  it('is no other pair of capitals', () => {
    const pairs = CAPITALS.flatMap((first) => CAPITALS.map((second) => first + second));
    for (const pair of pairs.filter((one) => !STATES.has(one))) {
      const { message, details } = refusalOf(withState(pair));
      assert.deepEqual([details.length, details[0]?.code, details[0]?.param], [1, 'INVALID_FORMAT', PATH]);
      assert.equal(message, `${PATH} must be a two-letter USPS code, such as "TX"; "${pair}" was sent.`);
    }
  });

  it('is told its code where its name is sent, in any case', () => {
    for (const [code, name] of STATES) {
      for (const sent of [name, name.toUpperCase(), name.toLowerCase()]) {
        const { message, details } = refusalOf(withState(sent));
        assert.equal(details[0]?.code, 'INVALID_FORMAT');
        assert.equal(message, `${PATH} must be a two-letter USPS code, "${code}"; "${sent}" was sent.`);
      }
    }
  });
});
