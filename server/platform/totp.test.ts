import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAt, enrolmentUri, fromBase32, generateTotpSecret, matchingStep, stepOf, toBase32 } from './totp.ts';

const secretOfRfc = Buffer.from('12345678901234567890');

test('the codes are those of RFC 6238, appendix B', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [seconds, code] of vectors) {
    const step = stepOf(new Date(seconds * 1000));
    assert.equal(codeAt(secretOfRfc, step, 8), code);
    assert.equal(codeAt(secretOfRfc, step), code.slice(2));
  }
});

test('a code is accepted in its own 30 seconds, in those before and those after', () => {
  const at = new Date(1_111_111_109_000);
  const own = stepOf(at);
  const accepted = [-2, -1, 0, 1, 2].map((later) => matchingStep(secretOfRfc, codeAt(secretOfRfc, own + later), at));
  assert.deepEqual(accepted, [null, own - 1, own, own + 1, null]);
  const code = codeAt(secretOfRfc, own);
  for (const wrong of ['', code.slice(1), `${code}0`, ` ${code}`, code.replace(/^./, '９')])
    assert.equal(matchingStep(secretOfRfc, wrong, at), null, wrong);
});

test('base32 is that of RFC 4648 without padding', () => {
  assert.equal(toBase32(Buffer.from('foobar')), 'MZXW6YTBOI');
  const secret = generateTotpSecret();
  assert.deepEqual(fromBase32(toBase32(secret)), secret);
  assert.equal(secret.length, 20);
});

test('an authenticator app gets issuer, name and secret', () => {
  assert.equal(
    enrolmentUri(secretOfRfc, { issuer: 'Lading 1', username: 'a/b' }),
    'otpauth://totp/Lading%201:a%2Fb?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Lading%201&algorithm=SHA1&digits=6&period=30',
  );
});
