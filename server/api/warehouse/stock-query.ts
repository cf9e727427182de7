import { type StockDetail, StockQueryBody, type StockQueryData } from '../../../contract/warehouse/stock-query.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { StockOfSku } from '../../domain/stock/query-stock.ts';
import { endpoint } from '../../http/endpoint.ts';
import { unknownTenant } from '../rejection.ts';
import { rejected, success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-7: returns the stock of each sku by stock type, batch and expiry date. */
export function stockQuery({ queryStock }: Pick<DomainOperations, 'queryStock'>) {
  return endpoint<WarehouseCaller, typeof StockQueryBody>({
    path: '/stock/query',
    body: StockQueryBody,
    async handle(account, { sku_ids, warehouse_tpw_id }, request) {
      const outcome = await queryStock(account, sku_ids, warehouse_tpw_id || null);
      if (outcome.kind === 'unknown_tenant') return rejected(request.id, unknownTenant());
      const place = outcome.warehouseNo === null ? {} : { warehouse_no: outcome.warehouseNo };
      const data: StockQueryData = { stock_details: outcome.stock.flatMap((ofSku) => detailsOf(ofSku, place)) };
      return success(request.id, data);
    },
  });
}

function detailsOf({ skuId, rows }: StockOfSku, place: Pick<StockDetail, 'warehouse_no'>): StockDetail[] {
  if (rows.length === 0)
    return [{ sku_id: skuId, status: 'not_found', ...place, batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 }];
  return rows.map(({ stockType, batchId, expireDate, onHand, locked, available }) => ({
    sku_id: skuId,
    status: 'ok',
    stock_type: stockType ?? 'good',
    ...place,
    batch_id: batchId,
    ...(expireDate === null ? {} : { expire_date: expireDate }),
    qty: onHand,
    qty_lock: locked,
    qty_available: available,
  }));
}
