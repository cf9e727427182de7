import { TextInput } from '@mantine/core';
import type { ListedLogisticsKey, logisticsKeysChange, logisticsKeysCreate } from '../../../contract/console/partner-keys.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkDays, checkName, checkOverDelivery, checkPicked } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields, WholeNumberInput } from './form-dialog.tsx';
import { AccountSelect, ReceivingSelect, StoreSelect, WarehouseSelect } from './partner-selects.tsx';
import { daysGiven, daysTyped, SellableDaysInput } from './sellable-days.tsx';
import { words } from './words.ts';

/** Without a key: a new one, of this account where it is given. */
export function KeyForm({
  accountNo,
  logisticsKey,
  ...dialog
}: PartnerFormProps & { accountNo: string | null; logisticsKey: ListedLogisticsKey | null }) {
  const say = useWords(words);
  const fields = useFormFields(
    {
      account: logisticsKey?.account_no ?? accountNo ?? '',
      name: logisticsKey?.name ?? '',
      warehouse: logisticsKey ? String(logisticsKey.warehouse_no) : '',
      store: logisticsKey ? String(logisticsKey.store_no) : '',
      receiving: logisticsKey?.receiving ?? '',
      days: daysTyped(logisticsKey),
      overDelivery: logisticsKey ? String(logisticsKey.over_delivery_percent) : '',
    },
    { account: checkPicked, name: checkName, warehouse: checkPicked, store: checkPicked, days: checkDays, overDelivery: checkOverDelivery },
  );
  const create = useChange<typeof logisticsKeysCreate>('/logistics-keys/create');
  const change = useChange<typeof logisticsKeysChange>('/logistics-keys/change');
  const { account, name, warehouse, store, receiving, days, overDelivery } = fields.values;

  const send = () => {
    const given = {
      account_no: account,
      name,
      warehouse_no: Number(warehouse),
      store_no: Number(store),
      ...(receiving !== '' && { receiving: receiving as ListedLogisticsKey['receiving'] }),
      ...daysGiven(days),
      ...(overDelivery !== '' && { over_delivery_percent: Number(overDelivery) }),
    };
    return logisticsKey === null ? create.run(given) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={logisticsKey === null ? say.create.logistics_key : say.change.logistics_key(`${account}/${name}`)}
      isNew={logisticsKey === null}
      name={`${say.key} ${account}/${name}`}
      check={fields.check}
      send={send}
    >
      {logisticsKey === null && (
        <>
          <TextInput data-autofocus required label={say.keyName} maxLength={64} spellCheck={false} {...fields.text('name')} />
          {accountNo === null && <AccountSelect {...fields.pick('account')} />}
        </>
      )}
      <WarehouseSelect {...fields.pick('warehouse')} />
      <StoreSelect {...fields.pick('store')} />
      <ReceivingSelect {...fields.pick('receiving')} />
      <SellableDaysInput {...fields.text('days')} />
      <WholeNumberInput label={say.overDelivery} description={say.overDeliveryHint} {...fields.text('overDelivery')} />
    </FormDialog>
  );
}
