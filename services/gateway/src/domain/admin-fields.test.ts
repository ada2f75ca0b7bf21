import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateProblem, emailProblem, nameProblem, requireId, requireNoProblems, scopeProblems } from './admin-fields.ts';

const ASTRAL = '\u{1F600}';

const ACCEPTED = {
  'a name of 200 characters outside the basic plane': nameProblem('name', ASTRAL.repeat(200)),
  'an ordinary address': emailProblem('email', "Ann.O'Hara+quotes@agency.example"),
  'an address of 255 characters': emailProblem('email', `${'a'.repeat(240)}@agency.example`),
  'a leap day': dateProblem('expires_on', '2028-02-29'),
  'a date in the past': dateProblem('expires_on', '2001-01-01'),
  'no date': dateProblem('expires_on', undefined),
};
for (const [what, problem] of Object.entries(ACCEPTED)) {
  test(`${what} is accepted`, () => assert.equal(problem, null));
}

const REFUSED = {
  'a blank name': [nameProblem('name', ' \t'), 'INVALID_VALUE'],
  'a name with a NUL': [nameProblem('name', 'a\0b'), 'INVALID_VALUE'],
  'a name with a line break': [nameProblem('name', 'a\nb'), 'INVALID_VALUE'],
  'a name of 201 characters': [nameProblem('name', ASTRAL.repeat(201)), 'TOO_LONG'],
  'an empty address': [emailProblem('email', ''), 'INVALID_FORMAT'],
  'an address without a domain': [emailProblem('email', 'ann@'), 'INVALID_FORMAT'],
  'an address with a name around it': [emailProblem('email', 'Ann <ann@agency.example>'), 'INVALID_FORMAT'],
  'two addresses': [emailProblem('email', 'a@b.example,c@d.example'), 'INVALID_FORMAT'],
  'an address with a NUL': [emailProblem('email', 'a\0@b.example'), 'INVALID_FORMAT'],
  'an address of 256 characters': [emailProblem('email', `${'a'.repeat(241)}@agency.example`), 'INVALID_FORMAT'],
  'an unreal date': [dateProblem('expires_on', '2027-02-29'), 'INVALID_FORMAT'],
  'a date with a time': [dateProblem('expires_on', '2027-02-28T00:00'), 'INVALID_FORMAT'],
  'an unknown scope': [scopeProblems('scopes', ['quotes:delete'])[0] ?? null, 'INVALID_VALUE'],
} as const;
for (const [what, [problem, code]] of Object.entries(REFUSED)) {
  test(`${what} is refused as ${code}`, () => assert.equal(problem?.code, code));
}

test('every problem is told at once, and the first is the headline', () => {
  const problems = [
    nameProblem('name', ''),
    emailProblem('broker_email', 'x'),
    ...scopeProblems('scopes', ['quotes:read', 'nope']),
  ];
  assert.throws(() => requireNoProblems(problems), {
    code: 'VALIDATION_FAILED',
    param: 'name',
    details: problems.filter((problem) => problem !== null),
  });
  assert.equal(problems.filter((problem) => problem !== null).length, 3);
  assert.equal(problems.at(-1)?.param, 'scopes[1]');
});

for (const id of ['', 'agy_', 'agy_0000000000000000000000\0', 'key_0000000000000000000000', 'x'.repeat(10_000)]) {
  test(`${JSON.stringify(id.slice(0, 40))} is no agency and is not looked up`, () => {
    assert.throws(() => requireId('agy_', id), { code: 'NOT_FOUND' });
  });
}
