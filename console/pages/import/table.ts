/** The limits of a file. The contract has the same for rows, columns and cells, which a test compares. */
export const fileLimits = {
  rowsMax: 20_000,
  columnsMax: 200,
  cellCharactersMax: 2000,
  fileBytesMax: 10 * 1024 * 1024,
  /** A sheet of 20,000 rows and 20 columns has 30 MB; a file that unpacks to more is refused. */
  unpackedBytesMax: 64 * 1024 * 1024,
  readSecondsMax: 30,
};

/** The cells of a file as texts. */
export interface ImportTable {
  titles: string[];
  titleRow: number;
  /** `row` is the number of the row in the file, from 1. Empty rows are left out. */
  rows: { row: number; cells: string[] }[];
  /** The encoding of a text file; null if it is UTF-8. */
  encoding: 'Big5' | 'UTF-16' | null;
  /** The name of the sheet, if the spreadsheet has several. */
  sheet: string | null;
}

export type ReadProblem =
  | 'empty'
  | 'too_large'
  | 'too_many_rows'
  | 'too_many_columns'
  | 'cell_too_long'
  | 'open_quote'
  | 'not_a_spreadsheet'
  | 'old_spreadsheet'
  | 'not_text'
  | 'took_too_long';

/** Why a file cannot be read. */
export class ReadError extends Error {
  problem: ReadProblem;
  row: number | null;

  constructor(problem: ReadProblem, row: number | null = null) {
    super(problem);
    this.problem = problem;
    this.row = row;
  }
}

/** The first row that is not empty has the titles. */
export function tableOf(rows: { row: number; cells: string[] }[]): Pick<ImportTable, 'titles' | 'titleRow' | 'rows'> {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [first, ...others] = filled;
  if (first === undefined) throw new ReadError('empty');
  if (others.length > fileLimits.rowsMax) throw new ReadError('too_many_rows');
  if (filled.some(({ cells }) => cells.length > fileLimits.columnsMax)) throw new ReadError('too_many_columns');
  const tooLong = filled.find(({ cells }) => cells.some((cell) => cell.length > fileLimits.cellCharactersMax));
  if (tooLong !== undefined) throw new ReadError('cell_too_long', tooLong.row);
  return { titles: first.cells, titleRow: first.row, rows: others };
}
