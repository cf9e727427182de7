import { type StockDetail, StockQueryBody, type StockQueryData } from '../../../contract/warehouse/stock-query.ts';
import type { QueryStock, StockOfSku } from '../../domain/stock/query-stock.ts';
import { endpoint } from '../contract.ts';
import { unknownTenant } from '../refusal.ts';
import { refused, success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-7: what lies there of each sku, by stock type, batch and expiry date. */
export function stockQuery(queryStock: QueryStock) {
  return endpoint<WarehouseCaller, typeof StockQueryBody>({
    path: '/stock/query',
    body: StockQueryBody,
    async handle(account, { sku_ids, warehouse_tpw_id }, request) {
      const outcome = await queryStock(account, sku_ids, warehouse_tpw_id || null);
      if (outcome.kind === 'unknown_tenant') return refused(request.id, unknownTenant());
      const place = outcome.warehouseNo === null ? {} : { warehouse_no: outcome.warehouseNo };
      const data: StockQueryData = { stock_details: outcome.stock.flatMap((ofSku) => detailsOf(ofSku, place)) };
      return success(request.id, data);
    },
  });
}

function detailsOf({ skuId, rows }: StockOfSku, place: Pick<StockDetail, 'warehouse_no'>): StockDetail[] {
  if (rows.length === 0) return [{ sku_id: skuId, status: 'not_found', ...place, batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 }];
  return rows.map(({ stock_type, batch_id, expire_date, qty, qty_lock, qty_available }) => ({
    sku_id: skuId,
    status: 'ok',
    stock_type: stock_type ?? 'good',
    ...place,
    batch_id,
    ...(expire_date === null ? {} : { expire_date }),
    qty,
    qty_lock,
    qty_available,
  }));
}
