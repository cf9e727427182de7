import type { accountsList, warehousesList } from '../../contract/console/partners.ts';
import type { Option } from './filter-bar.tsx';
import { useAsk } from './use-ask.ts';

/** The accounts as options of a filter; undefined until they are loaded. */
export function useAccountOptions(): Option[] | undefined {
  const { answer } = useAsk<typeof accountsList>('/accounts/list', {}, { topics: ['partners'] });
  return answer?.rows.map(({ account_no, name }) => ({ value: account_no, label: nameBeside(account_no, name) }));
}

/** The warehouses as options of a filter; undefined until they are loaded. */
export function useWarehouseOptions(): Option[] | undefined {
  const { answer } = useAsk<typeof warehousesList>('/warehouses/list', {}, { topics: ['partners'] });
  return answer?.rows.map(({ warehouse_no, name }) => ({
    value: String(warehouse_no),
    label: nameBeside(String(warehouse_no), name),
  }));
}

function nameBeside(number: string, name: string): string {
  return name === '' || name === number ? number : `${number} ${name}`;
}

/** The label of a numbered option, or the number while the options are loading. */
export function labelOf(options: Option[] | undefined, number: number): string {
  return options?.find(({ value }) => value === String(number))?.label ?? String(number);
}
