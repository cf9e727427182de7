/**
 * The date as yyyy-mm-dd, or '' for no date; null if the text is no date. Also reads 20270630, as a keypad or a scanner
 * types it, and 2027/6/30.
 */
export function readDate(text: string): string | null {
  const given = text.trim();
  if (given === '') return '';
  const [, year, month, day] =
    /^(\d{4})(\d\d)(\d\d)$/.exec(given) ?? /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(given) ?? [];
  if (year === undefined || year === '0000') return null;
  const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
  return isRealDay(date) ? date : null;
}

/** The same with a time, such as `2027-06-30 09:15`. */
export function readClock(text: string): string | null {
  const given = text.trim();
  if (given === '') return '';
  const [, day = '', hour, minute] = /^(\S+)[T ]+([01]?\d|2[0-3]):?([0-5]\d)$/.exec(given) ?? [];
  const date = readDate(day);
  return hour === undefined || !date ? null : `${date} ${hour.padStart(2, '0')}:${minute}`;
}

/** A day that does not exist, such as 2027-02-30, is another one after a round trip. */
function isRealDay(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date);
}
