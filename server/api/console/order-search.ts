import { orderSearch } from '../../../contract/console/order-search.ts';
import { type ListedOrder, listOrders } from '../../domain/orders/order-search-queries.ts';
import type { Search } from '../../platform/keyset-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { orderQuestion } from './order-filters.ts';

export function orderSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(orderSearch, {
    role: 'read-only',
    audit: null,
    async handle(_caller, body) {
      const question = { list: 'orders', ...(await orderQuestion(database, body)) };
      const find = (search: Search) => database.read((sql) => listOrders(sql, search));
      return await listPage(parts, body, question, find, wordListedOrder);
    },
  });
}

export function wordListedOrder(found: ListedOrder, accountNoOf: AccountNoOf) {
  const { order_id, account_id, order_no, partner_number, name, channel, status, warehouse_no, store_no, logistics_type, express_type } =
    found;
  const { shipment_no, carrier, line_count, units, transfer_status, created_at, updated_at } = found;
  return {
    ...{ order_id, account_no: accountNoOf(account_id), order_no, partner_number, name, channel, status, warehouse_no, store_no },
    ...{ logistics_type, express_type, shipment_no, carrier, line_count, units, transfer_status, created_at, updated_at },
  };
}
