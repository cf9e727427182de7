import type { OrderShipResult } from '../../../contract/console/packing.ts';
import { formatNumber } from '../../kit/number.ts';
import type { words } from './words.ts';

/** The result of an order that is shipped with one number. A question has warnings instead. */
export function formatShip(result: Exclude<OrderShipResult, { kind: 'confirm' }>, say: (typeof words)['en']): string {
  switch (result.kind) {
    case 'planned':
      return say.ships(formatNumber(result.undo_seconds));
    case 'not_workable':
      return say.notWorkable[result.why];
    case 'other_plan':
    case 'number_twice':
      return say.shipRefusal[result.kind];
    case 'parcels_changed':
      return say.severalParcels;
    case 'no_shipment_no':
      return say.noShipmentNo;
    case 'not_found':
      return say.notFound;
    default:
      return result satisfies never;
  }
}
