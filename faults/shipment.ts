import type { AdvanceReport } from '../sdk/client.ts';
import type { Random } from './random.ts';

type Units = { skuId: string; qty: number }[];

/** What leaves the warehouse for an order. Every report of the order says the same. */
export interface PlannedShipment {
  parcels: { shipmentNo: string; units: Units }[];
  /** Units that will not be shipped. */
  short: Units;
  report: Pick<AdvanceReport, 'status' | 'shipment_no' | 'carrier' | 'parcels' | 'final'>;
}

/** Mostly one parcel with everything; sometimes two parcels, or one with too few units. */
export function planShipment(random: Random, { number, units }: { number: string; units: Units }): PlannedShipment {
  const [shipmentNo, carrier] = [`SHIPMENT-${number}`, 'tcat'];
  const [one, ...rest] = firstUnitApart(units);
  const dice = random.next();
  if (dice < 0.5 || rest.length === 0)
    return { parcels: [{ shipmentNo, units }], short: [], report: reportOfWhole({ number }) };

  const first = { shipment_no: shipmentNo, carrier, items: [{ sku_id: one!.skuId, qty: one!.qty }] };
  const isShort = dice < 0.75;
  const secondNo = `${shipmentNo}-2`;
  return isShort
    ? {
        parcels: [{ shipmentNo, units: [one!] }],
        short: rest,
        report: { status: 'shipped', parcels: [first], final: true },
      }
    : {
        parcels: [
          { shipmentNo, units: [one!] },
          { shipmentNo: secondNo, units: rest },
        ],
        short: [],
        report: { status: 'shipped', parcels: [first, { shipment_no: secondNo, carrier }] },
      };
}

/** Everything in one parcel, in words that every version knows. */
export function reportOfWhole({ number }: { number: string }): PlannedShipment['report'] {
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
