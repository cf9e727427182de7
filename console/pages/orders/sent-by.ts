/** The delivery method in words; a code that has no word is shown as it is. */
export function sentBy(
  { logistics_type, express_type }: { logistics_type: string | null; express_type: string | null },
  names: Record<string, string>,
): string {
  return [logistics_type, express_type]
    .filter((code) => code !== null)
    .map((code) => names[code] ?? code)
    .join(' · ');
}

/** A carrier that is one of ours has a name; a warehouse may report any other. */
export function carrierName(carrier: string | null, names: Record<string, string>): string | null {
  return carrier === null ? null : (names[carrier] ?? carrier);
}
