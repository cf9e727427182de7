import { Alert, Anchor, Select, SimpleGrid, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import type { storesList } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useWarehouseOptions } from '../../kit/options.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { WarehouseSelect } from '../partners/partner-selects.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { newStore } from './connect-values.ts';
import type { ConnectForm } from './use-connect-form.ts';
import { words } from './words.ts';

export function GoodsStep({ form: { values, set, errorOf } }: { form: ConnectForm }) {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const { answer } = useAsk<typeof storesList>('/stores/list', {}, { topics: ['partners'] });
  const stores = answer?.rows.map(({ store_no, name }) => ({ value: String(store_no), label: `${store_no} ${name}` }));
  const text = (field: 'tenantId' | 'newStoreNo' | 'newStoreName', label: string, maxLength: number) => (
    <TextInput
      required={field !== 'newStoreName'}
      label={label}
      value={values[field]}
      maxLength={maxLength}
      spellCheck={false}
      error={errorOf(field)}
      onChange={(typed) => set({ [field]: typed.currentTarget.value })}
    />
  );
  return (
    <>
      {useWarehouseOptions()?.length === 0 && (
        <Alert color="yellow" p="sm">
          {say.noWarehouses}{' '}
          <Anchor component={Link} to="/partners?tab=places" inherit underline="always">
            {partners.create.warehouse}
          </Anchor>
        </Alert>
      )}
      {text('tenantId', partners.tenantId, 125)}
      <WarehouseSelect
        value={values.warehouseNo || null}
        error={errorOf('warehouseNo')}
        onChange={(picked) => set({ warehouseNo: picked ?? '' })}
      />
      <Select
        required
        searchable
        allowDeselect={false}
        label={say.storeChoice}
        data={[{ value: newStore, label: say.newStore }, ...(stores ?? [])]}
        value={values.storeNo}
        error={errorOf('storeNo')}
        onChange={(picked) => set({ storeNo: picked ?? newStore })}
      />
      {values.storeNo === newStore && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {text('newStoreNo', say.newStoreNo, 10)}
          {text('newStoreName', say.newStoreName, 200)}
        </SimpleGrid>
      )}
    </>
  );
}
