import { Select } from '@mantine/core';
import type { storesList } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { useAsk } from '../../kit/use-ask.ts';
import type { PickProps } from './form-dialog.tsx';
import { words } from './words.ts';

export function AccountSelect(field: PickProps) {
  const say = useWords(words);
  return <Select required searchable label={say.account} data={useAccountOptions() ?? []} {...field} />;
}

export function WarehouseSelect(field: PickProps) {
  const say = useWords(words);
  return <Select required searchable label={say.warehouse} data={useWarehouseOptions() ?? []} {...field} />;
}

export function StoreSelect(field: PickProps) {
  const say = useWords(words);
  const { answer } = useAsk<typeof storesList>('/stores/list', {}, { topics: ['partners'] });
  const data =
    answer?.rows.map(({ store_no, name }) => ({ value: String(store_no), label: `${store_no} ${name}` })) ?? [];
  return <Select required searchable label={say.store} data={data} {...field} />;
}

export function ReceivingSelect(field: PickProps) {
  const say = useWords(words);
  return (
    <Select
      label={say.receiving}
      placeholder={say.receivingDefault}
      data={(['on_create', 'on_confirm'] as const).map((rule) => ({ value: rule, label: say.receivingRule[rule] }))}
      allowDeselect={false}
      {...field}
    />
  );
}
