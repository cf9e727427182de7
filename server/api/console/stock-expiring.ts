import { type ExpiringRow, stockExpiring } from '../../../contract/console/stock-expiring.ts';
import { type ExpiringLot, findExpiringLots } from '../../domain/stock/find-expiring-lots.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

const limitDefault = 50;

export function stockExpiringCall({ database, directory, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockExpiring, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { account_no, warehouse_no = null, within_days: withinDays, limit = limitDefault }) {
      if (account_no !== undefined) await accountIdsOf(directory, [account_no]);
      const question = { accountNo: account_no ?? null, warehouseNo: warehouse_no, withinDays, limit };
      const { lots, isMore } = await findExpiringLots(database, question, clock.now());
      return { lots: lots.map(wordExpiring), is_more: isMore };
    },
  });
}

function wordExpiring(lot: ExpiringLot): ExpiringRow {
  const { account_no, warehouse_no, sku_id, stock_type, batch_id, expire_date, days_left, on_hand, locked, free, is_sellable } = lot;
  return { account_no, warehouse_no, sku_id, stock_type, batch_id, expire_date, days_left, on_hand, locked, free, is_sellable };
}
