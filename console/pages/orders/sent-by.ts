/** The delivery method in the partner's words: "home tcat". */
export function sentBy({
  logistics_type,
  express_type,
}: {
  logistics_type: string | null;
  express_type: string | null;
}): string {
  return [logistics_type, express_type].filter((part) => part !== null).join(' ');
}
