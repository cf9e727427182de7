import type { ListedTenant, tenantsChange, tenantsCreate } from '../../../contract/console/partners.ts';
import { useWords } from '../../kit/language.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { checkOptionalUrl, checkTenant } from './field-checks.ts';
import { FormDialog, type PartnerFormProps, textField } from './form-dialog.tsx';
import { stockRulesOf, useStockRuleFields } from './stock-rules.tsx';
import { words } from './words.ts';

/** Creates a tenant if `tenant` is null, and otherwise changes it. */
export function TenantForm({
  accountNo,
  tenant,
  ...dialog
}: PartnerFormProps & { accountNo: string; tenant: ListedTenant | null }) {
  const say = useWords(words);
  const rules = useStockRuleFields(tenant);
  const create = useChange<typeof tenantsCreate>('/tenants/create');
  const change = useChange<typeof tenantsChange>('/tenants/change');
  return (
    <FormDialog
      {...dialog}
      title={tenant === null ? say.create.tenant : say.change.tenant(tenant.warehouse_tpw_id)}
      isNew={tenant === null}
      nameOf={({ tenantId }) => `${say.tenant} ${tenantId}`}
      fields={{
        tenantId: textField(say.tenantId, tenant?.warehouse_tpw_id, checkTenant, { isName: true, maxLength: 125 }),
        ...rules,
        callbackUrl: textField(say.callbackUrl, tenant?.callback_url ?? '', checkOptionalUrl, {
          maxLength: 2048,
          description: say.tenantCallbackUrlHint,
        }),
      }}
      send={({ tenantId, callbackUrl, ...typed }) => {
        const given = {
          account_no: accountNo,
          warehouse_tpw_id: tenantId,
          callback_url: callbackUrl === '' ? null : callbackUrl,
          ...stockRulesOf(typed),
        };
        return tenant === null ? create.run(given) : change.run(given);
      }}
    />
  );
}
