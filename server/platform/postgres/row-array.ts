/** The PostgreSQL type of a column and how to read its value from a row. */
export type TypedColumn<Row> = readonly [
  type: 'bigint' | 'date' | 'integer' | 'numeric' | 'text' | 'uuid',
  read: (row: Row) => string | number | null,
];

/** The numbers of composite types, which differ between databases, by name. */
export type RowTypes = ReadonlyMap<string, number>;

/**
 * Rows of a composite type as an array. PostgreSQL reads an order in text twice, character by character, so orders,
 * lines and movements travel in its binary format. Types with other columns are rare, and remain text.
 */
export class RowArray {
  private readonly type: string;
  private readonly rows: readonly unknown[];
  private readonly columns: readonly TypedColumn<unknown>[];

  constructor(type: string, rows: readonly unknown[], columns: readonly TypedColumn<never>[]) {
    this.type = type;
    this.rows = rows;
    this.columns = columns as readonly TypedColumn<unknown>[];
  }

  write(types: RowTypes): string | Buffer {
    const typeNumber = types.get(this.type);
    if (typeNumber === undefined || !this.columns.every(([type]) => type in typeNumbers)) return this.text();
    const numbers = this.columns.map(([type]) => typeNumbers[type]!);
    return writeBinary(typeNumber, this.rows, this.columns, numbers);
  }

  /** `{"(1,a)","(2,\"b c\")"}`: a row is quoted as an element of the array, and some of its fields within that. */
  private text(): string {
    let text = '{';
    for (const row of this.rows) {
      text += text.length > 1 ? ',"' : '"';
      let separator = '(';
      for (const [, read] of this.columns) {
        text += separator + writeField(read(row));
        separator = ',';
      }
      text += ')"';
    }
    return `${text}}`;
  }
}

/** An empty field is null. */
function writeField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (value !== '' && !special.test(value)) return value;
  return `\\"${value.replace(/["\\]/g, '\\\\\\$&')}\\"`;
}

const special = /[(),"\\\s]/;

/** The types of columns that have a binary format here, with the numbers that PostgreSQL gives them everywhere. */
const [bigint, integer, text, uuid] = [20, 23, 25, 2950];
const typeNumbers: Partial<Record<TypedColumn<never>[0], number>> = { bigint, integer, text, uuid };

/** Used for one array after the other. */
let space = Buffer.allocUnsafe(64 * 1024);

/** Every order calls this three times, so its parts are plain loops. */
function writeBinary(
  typeNumber: number,
  rows: readonly unknown[],
  columns: readonly TypedColumn<unknown>[],
  types: readonly number[],
): Buffer {
  // The number of dimensions, whether there are null elements, the type, the length, and the first index.
  const head = rows.length === 0 ? [0, 0, typeNumber] : [1, 0, typeNumber, rows.length, 1];
  let end = head.reduce(writeInteger, 0);
  for (const row of rows) {
    const start = end;
    end = writeInteger(start + 4, columns.length);
    for (let index = 0; index < columns.length; index++) end = writeColumn(end, types[index]!, columns[index]![1](row));
    writeInteger(start, end - start - 4);
  }
  return Buffer.from(space.subarray(0, end));
}

/** Its type, its length (-1 for null), then the value. */
function writeColumn(start: number, type: number, value: string | number | null): number {
  const at = writeInteger(start, type);
  if (value === null) return writeInteger(at, -1);
  if (type === integer) return writeInteger(writeInteger(at, 4), wholeNumber(value, 2 ** 31));
  if (type === bigint) {
    const number = wholeNumber(value, 2 ** 53);
    return writeInteger(writeInteger(writeInteger(at, 8), Math.floor(number / 2 ** 32)), number);
  }
  const given = String(value);
  reserve(at + 4 + 3 * given.length);
  const length = type === uuid ? writeDigits(at + 4, given) : writeText(at + 4, given);
  return writeInteger(at, length) + length;
}

/** PostgreSQL cannot notice a wrong number in this format. */
function wholeNumber(value: string | number, below: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number < below && number >= -below) return number;
  throw new TypeError('a number of a row is not whole, or too large');
}

/** The lower 32 bits. */
function writeInteger(at: number, value: number): number {
  reserve(at + 4);
  space[at] = value >>> 24;
  space[at + 1] = value >>> 16;
  space[at + 2] = value >>> 8;
  space[at + 3] = value;
  return at + 4;
}

/** Returns the number of bytes. */
function writeText(at: number, text: string): number {
  if (text.length > copiedMax) return space.write(text, at);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return space.write(text, at);
    space[at + index] = code;
  }
  return text.length;
}

/** The hexadecimal digits of a uuid, without its hyphens. */
function writeDigits(at: number, text: string): number {
  let digits = 0;
  let byte = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === hyphen) continue;
    byte = (byte << 4) | ((code & 15) + (code > nine ? 9 : 0));
    if (digits++ % 2 === 1) space[at + (digits >> 1) - 1] = byte;
  }
  return digits >> 1;
}

const [hyphen, nine] = [0x2d, 0x39];

/** A call of Buffer.write costs as much as this many characters. */
const copiedMax = 64;

function reserve(length: number): void {
  if (length <= space.length) return;
  const larger = Buffer.allocUnsafe(2 * length);
  space.copy(larger);
  space = larger;
}
