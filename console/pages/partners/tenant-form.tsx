import { TextInput } from '@mantine/core';
import type { ListedTenant, tenantsChange, tenantsCreate } from '../../../contract/console/partner-tenants.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkDays, checkOverDelivery, checkPicked, checkTenant } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, useFormFields, WholeNumberInput } from './form-dialog.tsx';
import { ReceivingSelect, StoreSelect, WarehouseSelect } from './partner-selects.tsx';
import { daysGiven, daysTyped, SellableDaysInput } from './sellable-days.tsx';
import { words } from './words.ts';

/** Without a tenant: a new one of this account. */
export function TenantForm({ accountNo, tenant, ...dialog }: PartnerFormProps & { accountNo: string; tenant: ListedTenant | null }) {
  const say = useWords(words);
  const fields = useFormFields(
    {
      tenantId: tenant?.warehouse_tpw_id ?? '',
      warehouse: tenant ? String(tenant.warehouse_no) : '',
      store: tenant ? String(tenant.store_no) : '',
      receiving: tenant?.receiving ?? '',
      days: daysTyped(tenant),
      overDelivery: tenant ? String(tenant.over_delivery_percent) : '',
    },
    { tenantId: checkTenant, warehouse: checkPicked, store: checkPicked, days: checkDays, overDelivery: checkOverDelivery },
  );
  const create = useChange<typeof tenantsCreate>('/tenants/create');
  const change = useChange<typeof tenantsChange>('/tenants/change');
  const { tenantId, warehouse, store, receiving, days, overDelivery } = fields.values;

  const send = () => {
    const given = {
      account_no: accountNo,
      warehouse_tpw_id: tenantId,
      warehouse_no: Number(warehouse),
      store_no: Number(store),
      ...(receiving !== '' && { receiving: receiving as ListedTenant['receiving'] }),
      ...daysGiven(days),
      ...(overDelivery !== '' && { over_delivery_percent: Number(overDelivery) }),
    };
    return tenant === null ? create.run(given) : change.run(given);
  };
  return (
    <FormDialog
      {...dialog}
      title={tenant === null ? say.create.tenant : say.change.tenant(tenant.warehouse_tpw_id)}
      isNew={tenant === null}
      name={`${say.tenant} ${tenantId}`}
      check={fields.check}
      send={send}
    >
      {tenant === null && (
        <TextInput data-autofocus required label={say.tenantId} maxLength={125} spellCheck={false} {...fields.text('tenantId')} />
      )}
      <WarehouseSelect {...fields.pick('warehouse')} />
      <StoreSelect {...fields.pick('store')} />
      <ReceivingSelect {...fields.pick('receiving')} />
      <SellableDaysInput {...fields.text('days')} />
      <WholeNumberInput label={say.overDelivery} description={say.overDeliveryHint} {...fields.text('overDelivery')} />
    </FormDialog>
  );
}
