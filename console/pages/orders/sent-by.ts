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
