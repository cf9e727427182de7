import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import { fragment, type Tx } from '../../platform/postgres/sql.ts';
import { isNamed, type OrderName } from './order-queries.ts';

/** Where the goods of an order come back to, and where its callbacks go; null: nowhere. */
export interface ReturnPlace {
  orderId: number;
  warehouseNo: number;
  storeNo: number;
  keyName: string | null;
  url: string | null;
}

/** Call it after the orders are locked, so that the result stays valid. */
export async function findReturnPlaces(tx: Tx, wanted: OrderName[]): Promise<ReturnPlace[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<ReturnPlace[]>`
      select ${camelColumns('o.order_id, o.warehouse_no, o.store_no, t.key_name, t.url')}
      from orders o
      left join callback_target t on t.account_id = ${accountId} and t.document_type = 'order' and t.document_id = o.order_id
      where o.account_id = ${accountId} and o.order_id = any(array(select order_id from orders where ${isNamed(accountId, own)}))`,
  );
}

/** Links returns that the service created to their orders. */
export async function linkReturns(
  tx: Tx,
  links: { accountId: number; inboundId: number; orderId: number }[],
): Promise<void> {
  await perAccount(links, (accountId, own) => {
    const sorted = own.toSorted((a, b) => a.inboundId - b.inboundId);
    const inboundIds = sorted.map((one) => one.inboundId);
    const place = fragment`width_bucket(inbound_id, ${inboundIds}::bigint[])`;
    return tx`
      update inbound_document set original_order_id = coalesce((${sorted.map((one) => one.orderId)}::bigint[])[${place}])
      where account_id = ${accountId} and inbound_id = any(${inboundIds})`;
  });
}
