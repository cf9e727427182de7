import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWeakMachineSecret, type PasswordWeakness, weaknessOfPassword } from './password-rules.ts';

const judged: [password: string, weakness: PasswordWeakness | null][] = [
  ['elevenchars', 'short'],
  ['密碼密碼密碼密碼密碼密', 'short'],
  ['WebSolutions', 'common'],
  ['P@ssw0rd2024!', 'common'],
  ['Administrator1', 'common'],
  ['Summer2026!!!', 'common'],
  ['adminadmin123', 'common'],
  ['!!!!2026-2027', 'common'],
  ['sonyericsson', 'common'],
  ['aaaaaaaaaaaa', 'pattern'],
  ['abcdefghijkl', 'pattern'],
  ['210987654321', 'pattern'],
  ['Qwertyuiop12', 'pattern'],
  ['zyx-zyx-zyx-', 'pattern'],
  ['1qaz2wsx3edc4', 'pattern'],
  ['mei-ling-2026', 'name'],
  ['Lading-2026!!', 'name'],
  ['MEI-LINGlading1', 'name'],
  ['correct horse battery', null],
  ['mei-ling keeps bees', null],
  ['倉庫裡有三隻黑貓喜歡吃魚', null],
  ['tR7%kq0!vBz2', null],
];

test('a password of operator mei-ling must have 12 characters and be no common word, name or pattern', () => {
  const found = judged.map(([password]) => [password, weaknessOfPassword(password, 'mei-ling')]);
  assert.deepEqual(found, judged);
});

test('a long password is judged quickly, whatever it consists of', () => {
  for (const unit of ['a', 'ab', '12345', 'lading', '密', '!'])
    assert.notEqual(weaknessOfPassword(unit.repeat(256).slice(0, 256), 'mei-ling'), null);
});

test('a machine secret from outside must have 32 characters', () => {
  assert.deepEqual(
    [31, 32].map((length) => isWeakMachineSecret('x'.repeat(length))),
    [true, false],
  );
});
