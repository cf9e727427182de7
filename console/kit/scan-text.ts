/** One scan: a code, or the number of units that the next scan counts for. */
export type ScanText = { kind: 'code'; code: string; units: number } | { kind: 'multiplier'; units: number };

const multiplierOnly = /^([1-9]\d{0,3})[x×*]$/i;
// Only trade numbers (GTIN-8 to GTIN-14) may follow without Enter: an sku such as 2X4-BOARD must remain one code.
const multiplierAndCode = /^([1-9]\d{0,3})[x×*] ?(\d{8}|\d{12,14})$/i;

/** Reads `12x` and `12x4710088412345`. Returns null for a text without characters. */
export function readScan(text: string, pendingUnits: number): ScanText | null {
  const code = text.trim();
  if (code === '') return null;
  const alone = multiplierOnly.exec(code);
  if (alone) return { kind: 'multiplier', units: Number(alone[1]) };
  const both = multiplierAndCode.exec(code);
  if (both) return { kind: 'code', code: both[2]!, units: Number(both[1]) };
  return { kind: 'code', code, units: pendingUnits };
}
