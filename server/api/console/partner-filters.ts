import type { partnerStates } from '../../../contract/console/partners.ts';

interface Wanted {
  text?: string;
  state?: (typeof partnerStates)[number][];
}

/** The rows whose state is wanted and of which a name contains the text, in upper or lower case. */
export function filterPartners<Row extends { enabled: boolean }>(
  rows: Row[],
  { text = '', state }: Wanted,
  namesOf: (row: Row) => string[],
): Row[] {
  const part = text.toLowerCase();
  return rows.filter(
    (row) =>
      isWanted(row.enabled ? 'enabled' : 'disabled', state) &&
      namesOf(row).some((name) => name.toLowerCase().includes(part)),
  );
}

/** Without a choice, every value is wanted. */
export function isWanted<Value>(value: Value, wanted: Value[] | undefined): boolean {
  return wanted === undefined || wanted.includes(value);
}
