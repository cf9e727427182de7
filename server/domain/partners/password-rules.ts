import { readFileSync } from 'node:fs';

/** Why a new password is refused. */
export type PasswordWeakness = 'short' | 'common' | 'name' | 'pattern';

export const passwordLengthMin = 12;
export const passwordRule = `have at least ${passwordLengthMin} characters and not be a common password, a name or a pattern`;
/** For secrets that a partner chooses. Those that we generate have more than 256 bits. */
export const machineSecretLengthMin = 32;

/** Letters and digits that a password needs besides the names of its operator and of the product. */
const ownPartMin = 8;
const ownNames = ['lading'];
const nameLengthMin = 3;
const differentCharactersMin = 5;
const repeatedUnitMin = 8;
const runMin = 3;
/** Characters that a password needs outside sequences such as 12345 or qwerty. */
const outsideRunsMin = 5;
const sequences = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
].flatMap((row) => [row, [...row].reverse().join('')]);
const lettersOfDigits: Record<string, string> = { '@': 'a', 4: 'a', 3: 'e', 1: 'i', 0: 'o', 5: 's', $: 's', 7: 't' };

let listed: Set<string> | null = null;

/** Read on first use, because most processes never check a new password. */
function commonPasswords(): Set<string> {
  listed ??= new Set(
    readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
  return listed;
}

/** null: the password may be used. */
export function weaknessOfPassword(password: string, username: string): PasswordWeakness | null {
  if ([...password].length < passwordLengthMin) return 'short';
  const lower = password.normalize('NFKC').toLowerCase();
  if (isPattern(lower)) return 'pattern';
  if (commonPasswords().has(lower)) return 'common';
  const ownPart = withoutNames(lower, username);
  if (ownPart !== lower && ownPart.replace(/[^\p{L}\p{N}]/gu, '').length < ownPartMin) return 'name';
  return isBuiltFromOneWord(ownPart) ? 'common' : null;
}

export function isWeakMachineSecret(secret: string): boolean {
  return [...secret].length < machineSecretLengthMin;
}

function withoutNames(lower: string, username: string): string {
  const names = [...ownNames, username.toLowerCase()].filter(({ length }) => length >= nameLengthMin);
  return names.reduce((rest, name) => rest.replaceAll(name, ''), lower);
}

function isPattern(lower: string): boolean {
  const isFewCharacters = new Set(lower).size < differentCharactersMin;
  const isRepeatedUnit = new RegExp(`^(.{1,${repeatedUnitMin - 1}})\\1+$`, 'su').test(lower);
  return isFewCharacters || isRepeatedUnit || charactersOutsideRuns(lower) < outsideRunsMin;
}

function charactersOutsideRuns(lower: string): number {
  let outside = 0;
  for (let at = 0; at < lower.length; ) {
    const run = longestRunAt(lower, at);
    if (run < runMin) outside++;
    at += run < runMin ? 1 : run;
  }
  return outside;
}

function longestRunAt(lower: string, at: number): number {
  let length = 1;
  while (at + length < lower.length && sequences.some((row) => row.includes(lower.slice(at, at + length + 1))))
    length++;
  return length;
}

/** `P@ssw0rd2024!` is the word password, `adminadmin123` the word admin. */
function isBuiltFromOneWord(text: string): boolean {
  const core = text.replace(/^\P{L}+|\P{L}+$/gu, '');
  const asLetters = [...core].map((character) => lettersOfDigits[character] ?? character).join('');
  return [core, asLetters].some((candidate) => {
    const letters = candidate.replace(/[^\p{L}]/gu, '');
    const word = /^(.+?)\1*$/su.exec(letters)?.[1] ?? '';
    return letters === '' || commonPasswords().has(letters) || commonPasswords().has(word);
  });
}
