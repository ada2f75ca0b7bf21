import assert from 'node:assert/strict';
import test from 'node:test';
import { parseCarriers } from './carriers-file.ts';

const HEADER = 'name,naic_code,am_best_id,rating\n';

test('every column is read, quoted commas are kept and blank lines are passed over', () => {
  const text = `${HEADER}"Reading, Pa. Casualty",20427,000123,A-\n\n  Plain Mutual , , ,\r\nUnrated,00017,,NR\n`;
  assert.deepEqual(parseCarriers(text, 'c.csv'), [
    { name: 'Reading, Pa. Casualty', naicCode: '20427', amBestId: '000123', rating: 'A-' },
    { name: 'Plain Mutual', naicCode: '', amBestId: '', rating: '' },
    { name: 'Unrated', naicCode: '00017', amBestId: '', rating: 'NR' },
  ]);
});

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['an empty file', '', /^c\.csv line 1 must be the header name,naic_code,am_best_id,rating\.$/],
  ['another header', 'name,rating\nA,B\n', /^c\.csv line 1 must be the header/],
  ['no carrier', HEADER, /^c\.csv names no carrier\.$/],
  ['too few columns', `${HEADER}Plain Mutual,20427\n`, /^c\.csv line 2: there are 2 columns, not 4; /],
  ['a comma without quotes', `${HEADER}Reading, Pa.,20427,,A\n`, /^c\.csv line 2: there are 5 columns, not 4; /],
  ['a blank name', `${HEADER}Good,,,\n" ",20427,,A\n`, /^c\.csv line 3: the name is blank\. Nothing was loaded\.$/],
  ['a short NAIC code', `${HEADER}Plain,2042,,A\n`, /^c\.csv line 2: naic_code "2042" is not 5 digits\./],
  ['a rating off the scale', `${HEADER}Plain,,,a-\n`, /^c\.csv line 2: rating "a-" is none of A\+\+, A\+, A, /],
  [
    'a NAIC code twice',
    `${HEADER}One,20427,,\nTwo,20427,,\n`,
    /^c\.csv line 3: naic_code "20427" is on line 2 already\./,
  ],
  ['an AM Best id twice', `${HEADER}One,,7,\nTwo,,7,\n`, /^c\.csv line 3: am_best_id "7" is on line 2 already\./],
  [
    'several bad lines',
    `${HEADER}One,1,,\nTwo,,,\nThree,3,,\nFour,,,Z\n`,
    /^c\.csv line 2: .*\. 2 more bad after it\. Nothing was loaded\.$/,
  ],
  ['a quote that never closes', `${HEADER}Good,,,\n"One,,,\n`, /^c\.csv: .* line 3.* Nothing was loaded\.$/],
];

for (const [fault, text, line] of REFUSED) {
  test(`a carriers file is refused whole for ${fault}`, () => {
    assert.throws(() => parseCarriers(text, 'c.csv'), { name: 'CommandFailure', message: line });
  });
}
