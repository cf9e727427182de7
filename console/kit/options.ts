import type { accountsList } from '../../contract/console/accounts.ts';
import type { warehousesList } from '../../contract/console/partner-places.ts';
import type { Option } from './filter-bar.tsx';
import { useAsk } from './use-ask.ts';

/** The accounts, for a filter; undefined until they are known. */
export function useAccountOptions(): Option[] | undefined {
  const { answer } = useAsk<typeof accountsList>('/accounts/list', {}, { topics: ['partners'] });
  return answer?.rows.map(({ account_no, name }) => ({ value: account_no, label: nameBeside(account_no, name) }));
}

/** The warehouses, for a filter; undefined until they are known. */
export function useWarehouseOptions(): Option[] | undefined {
  const { answer } = useAsk<typeof warehousesList>('/warehouses/list', {}, { topics: ['partners'] });
  return answer?.rows.map(({ warehouse_no, name }) => ({ value: String(warehouse_no), label: nameBeside(String(warehouse_no), name) }));
}

function nameBeside(number: string, name: string): string {
  return name === '' || name === number ? number : `${number} ${name}`;
}
