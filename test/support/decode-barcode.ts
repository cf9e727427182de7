/*
 * Reads barcodes as a scanner does, from what was drawn. No program is needed for it, so that the tests run everywhere.
 */

/** The widths of bars and spaces of each value of Code 128, from the standard. The last one is the stop. */
const code128Widths = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 ' +
  '123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 ' +
  '232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 ' +
  '313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 ' +
  '111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 ' +
  '111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 ' +
  '114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'
).split(' ');

/** The text of a Code 128 symbol: `dark` says for each module from left to right whether it is a bar. */
export function decodeCode128(dark: boolean[]): string {
  const runs: number[] = [];
  for (const [index, bar] of dark.entries()) {
    if (index > 0 && bar === dark[index - 1]) runs[runs.length - 1]!++;
    else runs.push(1);
  }
  const values: number[] = [];
  for (let at = 0; at < runs.length; at += 6) {
    const length = runs.length - at === 7 ? 7 : 6;
    const value = code128Widths.indexOf(runs.slice(at, at + length).join(''));
    if (value === -1) throw new Error(`no value of Code 128 has the widths ${runs.slice(at, at + length)}`);
    values.push(value);
    if (length === 7) break;
  }
  const [start, ...rest] = values as [number, ...number[]];
  const check = rest.at(-2)!;
  const data = rest.slice(0, -2);
  const sum = data.reduce((total, value, index) => total + value * (index + 1), start);
  if (sum % 103 !== check || rest.at(-1) !== 106) throw new Error('the check value is wrong');
  return textOfValues(start, data);
}

const codeSets = { 103: 'A', 104: 'B', 105: 'C' } as Record<number, string>;
const switches = { 99: 'C', 100: 'B', 101: 'A' } as Record<number, string>;

function textOfValues(start: number, values: number[]): string {
  let set = codeSets[start]!;
  let shifted: string | null = null;
  let text = '';
  for (const value of values) {
    const current: string = shifted ?? set;
    shifted = null;
    const next = switches[value];
    if (current === 'C' && value < 100) text += String(value).padStart(2, '0');
    else if (current !== 'C' && value === 98) shifted = current === 'A' ? 'B' : 'A';
    else if (next !== undefined && next !== current) set = next;
    else if (value < 96) text += String.fromCharCode(current === 'A' && value >= 64 ? value - 64 : value + 32);
    else throw new Error(`value ${value} has no text`);
  }
  return text;
}

/** Data bytes of QR codes by version, and by the two bits of their level: M, L, H, Q. */
const dataBytes: Record<number, number[]> = { 1: [16, 19, 9, 13], 2: [28, 34, 16, 22], 3: [44, 55, 26, 34] };

/** The text of a QR code of version 1 to 3, without errors: `dark[row][column]`. */
export function decodeQr(dark: boolean[][]): string {
  const size = dark.length;
  const version = (size - 17) / 4;
  const format = [0, 1, 2, 3, 4].map((column) => Number(dark[8]![column])) as [number, number, number, number, number];
  // The format is stored with a mask: its first two bits are the level, the next three the mask of the data.
  const level = ((format[0] ^ 1) << 1) | format[1];
  const mask = masks[((format[2] ^ 1) << 2) | (format[3] << 1) | (format[4] ^ 1)]!;
  const length = dataBytes[version]?.[level];
  if (length === undefined) throw new Error(`version ${version} cannot be read`);
  const bits = readingOrder(size, version).map(([row, column]) => dark[row]![column]! !== mask(row, column));
  const bytes = Array.from({ length }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((sum, bit) => sum * 2 + Number(bit), 0),
  );
  // From version 3 on, the two higher levels have two blocks, whose bytes take turns.
  const blocks = version === 3 && level > 1 ? [0, 1] : [0];
  return textOfBytes(blocks.flatMap((block) => bytes.filter((_, index) => index % blocks.length === block)));
}

const masks: ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The modules of the data: pairs of columns from right to left, up and down in turn, without the fixed patterns. */
function readingOrder(size: number, version: number): [row: number, column: number][] {
  const isFixed = (row: number, column: number) =>
    (row < 9 && (column < 9 || column >= size - 8)) ||
    (row >= size - 8 && column < 9) ||
    row === 6 ||
    column === 6 ||
    (version > 1 && Math.abs(row - (size - 7)) < 3 && Math.abs(column - (size - 7)) < 3);
  const order: [number, number][] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) if (!isFixed(row, column)) order.push([row, column]);
    }
    isUp = !isUp;
  }
  return order;
}

const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Segments of bytes (UTF-8), of digits, and of capital letters and digits. */
function textOfBytes(bytes: number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let at = 0;
  const take = (count: number) => {
    at += count;
    return Number.parseInt(bits.slice(at - count, at), 2);
  };
  const text: number[] = [];
  const add = (part: string) => text.push(...Buffer.from(part));
  while (bits.length - at >= 4) {
    const mode = take(4);
    if (mode === 0) break;
    if (mode === 4) for (let left = take(8); left > 0; left--) text.push(take(8));
    else if (mode === 1)
      for (let left = take(10); left > 0; left -= 3) {
        const digits = Math.min(left, 3);
        add(String(take([0, 4, 7, 10][digits]!)).padStart(digits, '0'));
      }
    else if (mode === 2)
      for (let left = take(9); left > 0; left -= 2) {
        const pair = take(left > 1 ? 11 : 6);
        add(left > 1 ? alphanumeric[Math.floor(pair / 45)]! + alphanumeric[pair % 45]! : alphanumeric[pair]!);
      }
    else throw new Error(`mode ${mode} cannot be read`);
  }
  return Buffer.from(text).toString('utf8');
}
