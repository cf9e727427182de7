import { TextInput } from '@mantine/core';
import type { ListedLogisticsKey, logisticsKeysChange, logisticsKeysCreate } from '../../../contract/console/partner-keys.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { checkName, checkOverDelivery, checkPicked } from './field-checks.ts';
import { FormDialog, useFormFields, WholeNumberInput } from './form-dialog.tsx';
import type { PartnerFormProps } from './partner-form-props.ts';
import { AccountSelect, StoreSelect, WarehouseSelect } from './place-options.tsx';
import { ReceivingSelect } from './tenant-form.tsx';
import { words } from './words.ts';

/** Without a key: a new one, of this account where it is given. */
export function KeyForm({
  accountNo,
  logisticsKey,
  ...dialog
}: PartnerFormProps & { accountNo: string | null; logisticsKey: ListedLogisticsKey | null }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const fields = useFormFields(
    {
      account: logisticsKey?.account_no ?? accountNo ?? '',
      name: logisticsKey?.name ?? '',
      warehouse: logisticsKey ? String(logisticsKey.warehouse_no) : '',
      store: logisticsKey ? String(logisticsKey.store_no) : '',
      receiving: logisticsKey?.receiving ?? '',
      overDelivery: logisticsKey ? String(logisticsKey.over_delivery_percent) : '',
    },
    { account: checkPicked, name: checkName, warehouse: checkPicked, store: checkPicked, overDelivery: checkOverDelivery },
  );
  const create = useChange<typeof logisticsKeysCreate>('/logistics-keys/create');
  const change = useChange<typeof logisticsKeysChange>('/logistics-keys/change');
  const { account, name, warehouse, store, receiving, overDelivery } = fields.values;

  const send = () => {
    const given = {
      account_no: account,
      name,
      warehouse_no: Number(warehouse),
      store_no: Number(store),
      ...(receiving !== '' && { receiving: receiving as ListedLogisticsKey['receiving'] }),
      ...(overDelivery !== '' && { over_delivery_percent: Number(overDelivery) }),
    };
    return logisticsKey === null ? create.run(given) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={logisticsKey === null ? say.create.logistics_key : say.change.logistics_key(`${account}/${name}`)}
      submitLabel={logisticsKey === null ? say.createVerb : shared.verb.save}
      name={`${say.key} ${account}/${name}`}
      check={fields.check}
      send={send}
    >
      {logisticsKey === null && (
        <>
          <TextInput data-autofocus required label={say.keyName} maxLength={64} spellCheck={false} {...fields.text('name')} />
          {accountNo === null && (
            <AccountSelect
              required
              label={say.account}
              value={account}
              onChange={(picked) => fields.set('account', picked)}
              error={fields.mistakeOf('account')}
            />
          )}
        </>
      )}
      <WarehouseSelect
        required
        label={say.warehouse}
        value={warehouse}
        onChange={(picked) => fields.set('warehouse', picked)}
        error={fields.mistakeOf('warehouse')}
      />
      <StoreSelect
        required
        label={say.store}
        value={store}
        onChange={(picked) => fields.set('store', picked)}
        error={fields.mistakeOf('store')}
      />
      <ReceivingSelect value={receiving} onChange={(picked) => fields.set('receiving', picked)} />
      <WholeNumberInput label={say.overDelivery} description={say.overDeliveryHint} {...fields.text('overDelivery')} />
    </FormDialog>
  );
}
