/** The form of a carrier's numbers. */
export interface ShipmentFormat {
  pattern: RegExp;
  digits: number;
}

/**
 * Rules per carrier, by `express_type`. Only forms that we can support are listed (decision 67): a missing rule means no
 * check, because a wrong one would teach people to confirm every warning.
 */
export const shipmentFormats: Readonly<Record<string, ShipmentFormat>> = {
  // 黑貓宅急便.
  tcat: { pattern: /^\d{12}$/, digits: 12 },
  // 新竹物流.
  hct: { pattern: /^\d{10}$/, digits: 10 },
};

/** Other names under which people enter these carriers. */
const carrierNames: Readonly<Record<string, string>> = {
  't-cat': 'tcat',
  黑貓: 'tcat',
  黑貓宅急便: 'tcat',
  新竹物流: 'hct',
  新竹貨運: 'hct',
};

/** The rule that a number breaks; null: it fits, or the carrier has no rule. Carriers print numbers with separators. */
export function brokenFormat(shipmentNo: string, carrier: string | null): ShipmentFormat | null {
  const name = (carrier ?? '').trim().toLowerCase();
  const code = carrierNames[name] ?? name;
  const format = Object.hasOwn(shipmentFormats, code) ? shipmentFormats[code]! : null;
  return format === null || format.pattern.test(shipmentNo.replaceAll(/[\s-]/g, '')) ? null : format;
}
