import { type StockDetail, StockQueryBody, type StockQueryData } from '../../../contract/warehouse/stock-query.ts';
import type { QueryStock, StockOfSku } from '../../domain/stock/query-stock.ts';
import { endpoint } from '../contract.ts';
import { success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-7: what lies there of each sku, by stock type, batch and expiry date. */
export function stockQuery(queryStock: QueryStock) {
  return endpoint<WarehouseCaller, typeof StockQueryBody>({
    path: '/stock/query',
    body: StockQueryBody,
    async handle(account, { sku_ids }, request) {
      const stock = await queryStock(account, sku_ids);
      const data: StockQueryData = { stock_details: stock.flatMap(detailsOf) };
      return success(request.id, data);
    },
  });
}

function detailsOf({ skuId, rows }: StockOfSku): StockDetail[] {
  if (rows.length === 0) return [{ sku_id: skuId, status: 'not_found', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 }];
  return rows.map(({ stock_type, batch_id, expire_date, qty, qty_lock, qty_available }) => ({
    sku_id: skuId,
    status: 'ok',
    stock_type: stock_type ?? 'good',
    batch_id,
    ...(expire_date === null ? {} : { expire_date }),
    qty,
    qty_lock,
    qty_available,
  }));
}
