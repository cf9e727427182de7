import { TextInput } from '@mantine/core';
import type { ListedStore, storesChange, storesCreate } from '../../../contract/console/partner-places.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkNumber, checkTitle } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields, WholeNumberInput } from './form-dialog.tsx';
import { words } from './words.ts';

/** Without a store: a new one. */
export function StoreForm({ store, ...dialog }: PartnerFormProps & { store: ListedStore | null }) {
  const say = useWords(words);
  const fields = useFormFields(
    { number: store ? String(store.store_no) : '', name: store?.name ?? '', type: store?.type ?? '' },
    { number: checkNumber, name: checkTitle, type: checkTitle },
  );
  const create = useChange<typeof storesCreate>('/stores/create');
  const change = useChange<typeof storesChange>('/stores/change');
  const { number, name, type } = fields.values;

  const send = () => {
    const given = { store_no: Number(number), ...(name !== '' && { name }), ...(type !== '' && { type }) };
    return store === null ? create.run(given) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={store === null ? say.create.store : say.change.store(`${store.store_no} ${store.name}`)}
      isNew={store === null}
      name={`${say.store} ${number}`}
      check={fields.check}
      send={send}
    >
      {store === null && <WholeNumberInput data-autofocus required label={say.storeNo} {...fields.text('number')} />}
      <TextInput label={say.name} maxLength={200} {...fields.text('name')} />
      <TextInput label={say.storeType} description={say.storeTypeHint} maxLength={200} {...fields.text('type')} />
    </FormDialog>
  );
}
