import type { Sql } from '../server/platform/database.ts';
import { type Ledger, type SentDocument, unitsOf } from './ledger.ts';
import type { StockOfSku } from './warehouse-traffic.ts';

/** The stock that a node tells is what was told of inbound documents and orders. */
export function compareStock(stock: StockOfSku, ledger: Ledger): void {
  const received = unitsOf(ledger.inbounds.values());
  const ordered = unitsOf(ledger.orders.values());
  for (const [skuId, { onHand, locked }] of stock) {
    const [owedOnHand, owedLocked] = [received.get(skuId) ?? 0, ordered.get(skuId) ?? 0];
    if (onHand === owedOnHand && locked === owedLocked) continue;
    ledger.find('wrong', `sku ${skuId}: ${onHand} on hand and ${locked} locked, but told were ${owedOnHand} and ${owedLocked}`);
  }
}

/** What the database holds is what was told, once each, and adds up. */
export async function compareStored(sql: Sql, ledger: Ledger): Promise<void> {
  const orders = await sql<StoredDocument[]>`
    select partner_number as number, order_no as ours, status = 'cancelled' as cancelled from orders`;
  const inbounds = await sql<StoredDocument[]>`
    select partner_number as number, document_no as ours, status = 'cancelled' as cancelled from inbound_document`;
  const products = await sql<StoredDocument[]>`select sku_id as number, product_id::text as ours, false as cancelled from product`;
  compareDocuments(orders, [...ledger.orders.values()], ledger);
  compareDocuments(inbounds, [...ledger.inbounds.values()], ledger);
  const synced = [...ledger.products].map(([number, id]) => ({ number, told: String(id), cancelled: false }));
  compareDocuments(products, synced, ledger);

  const lots = await sql<{ lot_id: number; on_hand: number; locked: number }[]>`
    select lot_id, on_hand, locked from lot left join movement using (lot_id) group by lot_id
    having on_hand <> coalesce(sum(on_hand_delta), 0) or locked <> coalesce(sum(locked_delta), 0) or locked > on_hand`;
  for (const { lot_id, on_hand, locked } of lots) ledger.find('wrong', `lot ${lot_id} is not its movements: ${on_hand}, ${locked}`);
  const holders = await sql<{ order_id: number; product_id: number; owed: number; held: number }[]>`
    select order_id, product_id, sum(owed)::bigint as owed, sum(held)::bigint as held from (
      select order_id, product_id, qty as owed, 0 as held from order_line join orders using (order_id) where status <> 'cancelled'
      union all
      select order_id, product_id, 0, locked_delta from movement join lot using (lot_id) where order_id is not null
    ) units group by order_id, product_id having sum(owed) <> sum(held)`;
  for (const { order_id, product_id, owed, held } of holders) {
    ledger.find('wrong', `order ${order_id} holds ${held} of product ${product_id} instead of ${owed}`);
  }
}

interface StoredDocument {
  number: string;
  ours: string;
  cancelled: boolean;
}

function compareDocuments(stored: StoredDocument[], sent: Pick<SentDocument, 'number' | 'told' | 'cancelled'>[], ledger: Ledger): void {
  const rowsOf = Map.groupBy(stored, (row) => row.number);
  for (const { number, told, cancelled } of sent) {
    const [row, ...others] = rowsOf.get(number) ?? [];
    if (others.length > 0) ledger.find('doubled', `${number} is stored ${others.length + 1} times`);
    if (told !== null && !row) ledger.find('lost', `${number} (${told}) is not stored`);
    if (told === null && row) ledger.find('wrong', `${number} was refused and is stored`);
    if (row && told !== null && row.ours !== told) ledger.find('lost', `${number} is ${row.ours}, but ${told} was told`);
    if (cancelled && !row?.cancelled) ledger.find('lost', `${number} was cancelled, and is not`);
    if (!cancelled && row?.cancelled) ledger.find('wrong', `${number} is cancelled, and nobody was told`);
    rowsOf.delete(number);
  }
  for (const number of rowsOf.keys()) ledger.find('wrong', `${number} is stored, and nobody has sent it`);
}
