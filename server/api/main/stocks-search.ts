import type { stocksSearch } from '../../../contract/main/stocks-search.ts';
import type { FoundLot } from '../../domain/stock/stock-search-queries.ts';
import type { SearchListFormat } from './search-list.ts';

export const stocksFormat: SearchListFormat<typeof stocksSearch, FoundLot> = {
  domainNames: { qty: 'on_hand', qty_available: 'available' },
  row: ({ on_hand, locked, available, warehouse_no, sku_id, stock_type, batch_id, expire_date }) => ({
    warehouse_no,
    sku_id,
    stock_type,
    batch_id,
    expire_date,
    qty: on_hand,
    qty_lock: locked,
    qty_available: available,
  }),
};
