import type { AdvanceReport } from '../sdk/client.ts';
import type { Random } from './random.ts';

type Units = { skuId: string; qty: number }[];

type Report = Pick<AdvanceReport, 'status' | 'shipment_no' | 'carrier' | 'parcels' | 'final' | 'reason'>;

/** The way of an order from the warehouse to its end. Every sender reports the same, in this order. */
export interface PlannedShipment {
  parcels: { shipmentNo: string; units: Units }[];
  /** Units that will not be shipped. */
  short: Units;
  reports: Report[];
}

/**
 * Mostly one parcel with everything; sometimes two parcels, the first of them reported alone, or one parcel with too few
 * units. Some orders then arrive at a store, are refused there, or are lost.
 */
export function planShipment(random: Random, { number, units }: { number: string; units: Units }): PlannedShipment {
  const [shipmentNo, carrier] = [`SHIPMENT-${number}`, 'tcat'];
  const [one, ...rest] = firstUnitApart(units);
  const dice = random.next();
  const ends = planEnd(random);
  if (dice < 0.4 || rest.length === 0) {
    return { parcels: [{ shipmentNo, units }], short: [], reports: [reportOfWhole({ number }), ...ends] };
  }

  const first = { shipment_no: shipmentNo, carrier, items: [{ sku_id: one!.skuId, qty: one!.qty }] };
  if (dice < 0.6) {
    const short: Report = { status: 'shipped', parcels: [first], final: true };
    return { parcels: [{ shipmentNo, units: [one!] }], short: rest, reports: [short, ...ends] };
  }
  const secondNo = `${shipmentNo}-2`;
  const part: Report = { status: 'partially_shipped', parcels: [first] };
  const last: Report = { status: 'shipped', parcels: [first, { shipment_no: secondNo, carrier }] };
  const parcels = [
    { shipmentNo, units: [one!] },
    { shipmentNo: secondNo, units: rest },
  ];
  return { parcels, short: [], reports: [part, last, ...ends] };
}

function planEnd(random: Random): Report[] {
  const dice = random.next();
  if (dice < 0.5) return [];
  if (dice < 0.65) return [{ status: 'undelivered', reason: 'lost' }];
  return dice < 0.8 ? [{ status: 'arrived' }] : [{ status: 'arrived' }, { status: 'undelivered', reason: 'refused' }];
}

/** Everything in one parcel, in words that every version knows. */
export function reportOfWhole({ number }: { number: string }): Report {
  return { status: 'shipped', shipment_no: `SHIPMENT-${number}`, carrier: 'tcat' };
}

/** One unit of the first line, then all others. */
function firstUnitApart([first, ...others]: Units): Units {
  if (!first) return [];
  const remainder = first.qty > 1 ? [{ ...first, qty: first.qty - 1 }] : [];
  return [{ ...first, qty: 1 }, ...remainder, ...others];
}

/** Parcels and missing units as text: `SHIPMENT-7: HOT 1; short: TEA 2`. */
export function describeShipment({ parcels, short }: Pick<PlannedShipment, 'parcels' | 'short'>): string {
  const unitsText = (units: Units) => {
    const sums = new Map<string, number>();
    for (const { skuId, qty } of units) sums.set(skuId, (sums.get(skuId) ?? 0) + qty);
    return [...sums]
      .map(([skuId, qty]) => `${skuId} ${qty}`)
      .toSorted()
      .join(', ');
  };
  return [
    ...parcels.map(({ shipmentNo, units }) => `${shipmentNo}: ${unitsText(units)}`),
    ...(short.length > 0 ? [`short: ${unitsText(short)}`] : []),
  ].join('; ');
}
