import { orderScan, type ScannedOrder } from '../../../contract/console/order-scan.ts';
import { explainTaken } from '../../domain/orders/explain-lots.ts';
import { masked } from '../../domain/orders/mask-recipient.ts';
import {
  type DetailLine,
  findDetailLines,
  findHandledOrders,
  findOrderIdsByShipment,
  findTakenLots,
  type HandledOrder,
  type TakenLot,
} from '../../domain/orders/order-detail-queries.ts';
import { stepsOf } from '../../domain/orders/read-order.ts';
import type { KnownAccount } from '../../domain/partners/account-directory.ts';
import { findOrdersNamed } from '../../domain/timeline/document-story-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { maySeePeople } from './people-seen.ts';

/** More orders of one number than anybody would choose from. */
const scannedMax = 20;

/** An order by what is printed on it. */
export function orderScanCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  async function idsScanned(number: string): Promise<number[]> {
    const named = await database.read((sql) => findOrdersNamed(sql, number, null));
    if (named.length > 0) return named.map(({ document_id }) => document_id).slice(0, scannedMax);
    return await database.read((sql) => findOrderIdsByShipment(sql, number));
  }

  return consoleEndpoint(orderScan, {
    role: 'read-only',
    audit: null,
    async handle(caller, { number }) {
      const orderIds = await idsScanned(number);
      if (orderIds.length === 0) return { kind: 'not_found' as const };
      const accounts = await directory.allNow();
      const accountOf = new Map([...accounts.values()].map((account) => [account.accountId, account]));
      const [orders, lines, taken] = await database.read((sql) =>
        Promise.all([findHandledOrders(sql, orderIds), findDetailLines(sql, orderIds), findTakenLots(sql, orderIds)]),
      );
      const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
      const takenOf = Map.groupBy(taken, ({ order_id }) => order_id);
      const shown = maySeePeople(caller) ? orders : orders.map((order) => ({ ...order, note: order.note && masked }));
      const scanned = shown.map((order) =>
        wordScanned(order, accountOf.get(order.account_id)!, linesOf.get(order.order_id) ?? [], takenOf.get(order.order_id) ?? []),
      );
      return scanned.length === 1 ? { kind: 'found' as const, order: scanned[0]! } : { kind: 'several' as const, orders: scanned };
    },
  });
}

function wordScanned(order: HandledOrder, { accountNo, environment }: KnownAccount, lines: DetailLine[], taken: TakenLot[]): ScannedOrder {
  const { order_id, order_no, partner_number, name, status, logistics_type, express_type, shipment_no, carrier, note } = order;
  const lotsOf = explainTaken(lines, taken);
  return {
    ...{ order_id, account_no: accountNo, environment, order_no, partner_number, name, status },
    ...{ logistics_type, express_type, shipment_no, carrier, note },
    lines: lines.map(({ line_no, sku_id, name, storage_type, qty }) => ({
      ...{ line_no, sku_id, name, storage_type, qty },
      lots: (lotsOf.get(line_no) ?? []).map(({ batchId, expireDate, qty }) => ({ batch_id: batchId, expire_date: expireDate, qty })),
    })),
    steps: stepsOf(status, environment),
  };
}
