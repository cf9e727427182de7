import type { ListedStore, storesChange, storesCreate } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkNumber, checkTitle } from './field-checks.ts';
import { FormDialog, numberField, type PartnerFormProps, textField } from './form-dialog.tsx';
import { words } from './words.ts';

/** Creates a store if `store` is null, and otherwise changes it. */
export function StoreForm({ store, ...dialog }: PartnerFormProps & { store: ListedStore | null }) {
  const say = useWords(words);
  const create = useChange<typeof storesCreate>('/stores/create');
  const change = useChange<typeof storesChange>('/stores/change');
  return (
    <FormDialog
      {...dialog}
      title={store === null ? say.create.store : say.change.store(`${store.store_no} ${store.name}`)}
      isNew={store === null}
      nameOf={({ number }) => `${say.store} ${number}`}
      fields={{
        number: numberField(say.storeNo, store?.store_no, checkNumber, { isName: true }),
        name: textField(say.name, store?.name, checkTitle),
        type: textField(say.storeType, store?.type, checkTitle, { description: say.storeTypeHint }),
      }}
      send={({ number, name, type }) => {
        const given = { store_no: Number(number), ...(name !== '' && { name }), ...(type !== '' && { type }) };
        return store === null ? create.run(given) : change.run(given);
      }}
    />
  );
}
