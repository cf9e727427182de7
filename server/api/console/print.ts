import {
  type LeftOutOrder,
  type PickList,
  printedOrdersPerHour,
  printOrders as printOrdersCall,
  printPickList,
  type PrintedOrder as WirePrint,
} from '../../../contract/console/print.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { countOrdersOfActions } from '../../domain/operators/action-queries.ts';
import { mergePickLines, type PrintDocument } from '../../domain/orders/order-print.ts';
import { type PrintedOrder, type PrintOutcome, printOrders } from '../../domain/orders/print-orders.ts';
import { ProblemError } from '../../http/problem.ts';
import { distinct } from '../../platform/distinct.ts';
import { pick } from '../../platform/pick.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, accountNosOf, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { auditedOrders, countKinds, ordersOfIds } from './orders-actions.ts';

/** Print-outs of orders. Labels show whole recipients, so each print is limited and in the audit log. */
export function printEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [ordersCall(parts), pickListCall(parts)];
}

function ordersCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(printOrdersCall, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ document, order_ids }) => auditedOrders(order_ids, { document }),
    outcome: ({ printed, left_out }) => outcomeOf(printed, left_out),
    async handle(caller, { document, order_ids, print_id }) {
      const { printed, leftOut } = await print(parts, caller, { document, orderIds: order_ids, printId: print_id });
      const accountNoOf = accountNosOf(parts.directory);
      return { printed: printed.map((one) => toPrinted(one, document, accountNoOf)), left_out: leftOut };
    },
  });
}

function pickListCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(printPickList, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ lists, left_out }) =>
      outcomeOf(
        lists.flatMap(({ slots }) => slots),
        left_out,
      ),
    async handle(caller, { order_ids, slots, print_id }) {
      if (slots && slots.length !== order_ids.length) throw mistakeAt('slots', rejection('slot_per_order'));
      const slotOf = new Map(slots?.map((slot, index) => [order_ids[index]!, slot]));
      const wanted = { document: 'pick_list' as const, orderIds: order_ids, printId: print_id };
      const { printed, leftOut } = await print(parts, caller, wanted);
      const accountNoOf = accountNosOf(parts.directory);
      const byWarehouse = Map.groupBy(printed, ({ order }) => order.warehouse_no);
      return { lists: [...byWarehouse.values()].map((own) => toPickList(own, slotOf, accountNoOf)), left_out: leftOut };
    },
  });
}

const printPaths = [printOrdersCall, printPickList].map(({ path }) => path.slice(1));
const retryAfterSeconds = 600;

interface Wanted {
  document: PrintDocument;
  orderIds: number[];
  printId: string;
}

async function print(
  { database, directory }: ConsoleParts,
  caller: ConsoleCaller,
  { document, orderIds, printId }: Wanted,
) {
  const { username } = caller.session;
  // The entry of this call is in the audit log already. All nodes share the limit.
  const recent = await database.read(noAccounts, (sql) => countOrdersOfActions(sql, username, printPaths));
  if (recent > printedOrdersPerHour)
    throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds, reason: reason('too_many_prints') });
  const { byId, named } = await ordersOfIds(database, directory, orderIds, caller);
  const keys = [...byId.values()].map(({ account_id, order_id }) => ({ accountId: account_id, orderId: order_id }));
  const outcomes = await printOrders(database, keys, { document, printId, printedBy: username });
  const isPrinted = (outcome: PrintOutcome | undefined) => outcome?.kind === 'printed';
  return {
    printed: orderIds.map((orderId) => outcomes.get(orderId)).filter(isPrinted) as PrintedOrder[],
    leftOut: orderIds.flatMap((orderId): LeftOutOrder[] => {
      const kind = outcomes.get(orderId)?.kind ?? 'not_found';
      return kind === 'printed' ? [] : [{ kind, order_id: orderId, partner_number: named(orderId).partner_number }];
    }),
  };
}

/** `printed 18, reprinted 2, on_hold 1`. */
function outcomeOf(printed: { prints: number }[], leftOut: LeftOutOrder[]): string {
  return countKinds([...printed.map(({ prints }) => ({ kind: prints > 1 ? 'reprinted' : 'printed' })), ...leftOut]);
}

const hasLines = new Set<PrintDocument>(['packing_slip', 'return_slip']);

function toPrinted(
  { order, recipient, lines, parcels, returnNos, prints }: PrintedOrder,
  document: PrintDocument,
  accountNoOf: AccountNoOf,
): WirePrint {
  const { store_pickup_label_data } = recipient;
  const isNamed = Object.values(recipient).some((value) => value !== null);
  return {
    account_no: accountNoOf(order.account_id),
    ...pick(order, 'order_id, environment, order_no, partner_number, name, status, warehouse_no, warehouse_name'),
    ...pick(order, 'store_name, logistics_type, express_type, created_at'),
    units: lines.reduce((sum, { qty }) => sum + qty, 0),
    storage_types: distinct(lines.map(({ storage_type }) => storage_type)),
    lines: hasLines.has(document) ? lines.map(toLine) : [],
    parcels,
    recipient: isNamed ? pick(recipient, 'name, phone, zip, city, address, note') : null,
    store_pickup_label_data,
    return_nos: returnNos,
    prints,
  };
}

function toLine({ line_no, sku_id, name, qty, lots }: PrintedOrder['lines'][number]): WirePrint['lines'][number] {
  const ofLine = lots.map((lot) => ({ batch_id: lot.batchId, expire_date: lot.expireDate, qty: lot.qty }));
  return { line_no, sku_id, name, qty, lots: ofLine };
}

function toPickList(printed: PrintedOrder[], slotOf: Map<number, number>, accountNoOf: AccountNoOf): PickList {
  const { warehouse_no, warehouse_name } = printed[0]!.order;
  const slotAt = (index: number) => slotOf.get(printed[index]!.order.order_id) ?? index + 1;
  const held = printed.flatMap(({ order, lines, taken, locations }, index) => {
    const lineOf = new Map(lines.map((line) => [line.sku_id, line]));
    return taken
      .filter(({ locked }) => locked > 0)
      .map(({ sku_id, batch_id, expire_date, locked }) => {
        const { product_id, name } = lineOf.get(sku_id)!;
        const lot = { account_no: accountNoOf(order.account_id), sku_id, name, batch_id, expire_date };
        return { slot: slotAt(index), location: locations.get(product_id) ?? null, ...lot, qty: locked };
      });
  });
  return {
    warehouse_no,
    warehouse_name,
    slots: printed.map(({ order, taken, prints }, index) => ({
      slot: slotAt(index),
      ...pick(order, 'order_no, partner_number'),
      account_no: accountNoOf(order.account_id),
      units: taken.reduce((sum, { locked }) => sum + locked, 0),
      prints,
    })),
    lines: mergePickLines(held),
  };
}
