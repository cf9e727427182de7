import { Select, type SelectProps } from '@mantine/core';
import type { storesList } from '../../../contract/console/partner-places.ts';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { useAsk } from '../../kit/use-ask.ts';

type PickProps = Omit<SelectProps, 'data' | 'onChange' | 'value'> & { value: string; onChange(value: string): void };

export function AccountSelect({ value, onChange, ...props }: PickProps) {
  return (
    <Select data={useAccountOptions() ?? []} searchable value={value || null} onChange={(picked) => onChange(picked ?? '')} {...props} />
  );
}

export function WarehouseSelect({ value, onChange, ...props }: PickProps) {
  return (
    <Select data={useWarehouseOptions() ?? []} searchable value={value || null} onChange={(picked) => onChange(picked ?? '')} {...props} />
  );
}

export function StoreSelect({ value, onChange, ...props }: PickProps) {
  const { answer } = useAsk<typeof storesList>('/stores/list', {}, { topics: ['partners'] });
  const data = answer?.rows.map(({ store_no, name }) => ({ value: String(store_no), label: `${store_no} ${name}` })) ?? [];
  return <Select data={data} searchable value={value || null} onChange={(picked) => onChange(picked ?? '')} {...props} />;
}
