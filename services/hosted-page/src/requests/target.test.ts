import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath, routeOf, single, splitTarget, toOriginForm } from './target.ts';

const TOKEN = 'Abc_-'.repeat(8) + 'xyz';

const CASES: readonly (readonly [path: string, prefix: string, route: string])[] = [
  [`/q/${TOKEN}`, '', 'link quote'],
  [`/q/${TOKEN}/review`, '', 'link review'],
  [`/q/${TOKEN}/interest`, '', 'link interest'],
  [`/pay/q/${TOKEN}`, '/pay', 'link quote'],
  [`/q/${TOKEN}`, '/pay', 'nothing'],
  [`/pay/q/${TOKEN}`, '', 'nothing'],
  [`/q/${TOKEN.slice(1)}`, '', 'no-link'],
  [`/q/${TOKEN}x`, '', 'no-link'],
  [`/q/${TOKEN.slice(1)}%41`, '', 'no-link'],
  [`/q/${TOKEN.slice(1)}=`, '', 'no-link'],
  ['/q/', '', 'no-link'],
  ['/q/%/review', '', 'no-link'],
  [`/q/${TOKEN}/`, '', 'nothing'],
  [`/q/${TOKEN}/Review`, '', 'nothing'],
  [`/Q/${TOKEN}`, '', 'nothing'],
  [`//q/${TOKEN}`, '', 'nothing'],
  ['/robots.txt', '/pay', 'robots'],
  ['/', '', 'nothing'],
  ['/q', '', 'nothing'],
];
for (const [path, prefix, expected] of CASES) {
  test(`${path.replace(TOKEN, '{token}')} below "${prefix}" leads to ${expected}`, () => {
    const target = readPath(path, prefix);
    assert.equal(target.kind === 'link' ? `${target.kind} ${target.step}` : target.kind, expected);
    if (target.kind === 'link') assert.equal(target.token, TOKEN);
    assert.doesNotMatch(routeOf(target), new RegExp(TOKEN.slice(1, -1)), 'the route for the log holds no token');
  });
}

test('every form of a target asks for the same path', () => {
  for (const target of ['/q/a?b=c', 'https://pay.example/q/a?b=c', 'HTTP://x:1/q/a?b=c', 'q/a?b=c']) {
    const { path, query } = splitTarget(toOriginForm(target));
    assert.deepEqual([path, query.get('b')], ['/q/a', 'c'], target);
  }
  assert.equal(splitTarget(toOriginForm('*')).path, '/*');
});

test('a parameter counts where it stands once', () => {
  assert.equal(single(new URLSearchParams('a=1&b=2'), 'a'), '1');
  assert.equal(single(new URLSearchParams('a='), 'a'), '');
  assert.equal(single(new URLSearchParams('a=1&a=1'), 'a'), null);
  assert.equal(single(new URLSearchParams('b=1'), 'a'), null);
});
