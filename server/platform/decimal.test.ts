import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roundDecimal } from './decimal.ts';

const rounded: [literal: string, decimals: number, result: number][] = [
  ['1.005', 2, 1.01],
  ['1.00499999999999999999999', 2, 1],
  ['-1.005', 2, -1.01],
  ['-0.004', 2, 0],
  ['0.5', 0, 1],
  ['0.05', 0, 0],
  ['0.9995', 3, 1],
  ['12.3456e1', 2, 123.46],
  ['123456e-5', 3, 1.235],
  ['5e-3', 2, 0.01],
  ['4.9E-3', 2, 0],
  ['1e-400', 3, 0],
  ['0.000', 2, 0],
  ['9999999999.995', 2, 10_000_000_000],
  ['1e21', 2, 1e21],
];
for (const [literal, decimals, result] of rounded) {
  test(`${literal} has ${decimals} decimals as ${result}`, () => assert.equal(roundDecimal(literal, decimals), result));
}

test('rounding agrees with whole-number arithmetic on the digits', () => {
  const digits = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 3 }), (units, decimals) => {
      const written = `${units < 0n ? '-' : ''}${decimalText(units < 0n ? -units : units, 6)}`;
      const step = 10n ** BigInt(6 - decimals);
      const magnitude = ((units < 0n ? -units : units) * 2n + step) / (step * 2n);
      assert.equal(Math.abs(roundDecimal(written, decimals)), Number(decimalText(magnitude, decimals)));
    }),
  );
});

function decimalText(units: bigint, decimals: number): string {
  const text = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
