import type { ReactNode } from 'react';
import type { ListedTenant } from '../../../contract/console/partners.ts';
import { column, idColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { EnabledBadge, Place } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { RowMenu } from './row-menu.tsx';
import { SellableDaysText } from './stock-rules.tsx';
import { words } from './words.ts';

export function TenantTable({
  tenants,
  dialogs,
  empty,
}: {
  tenants: ListedTenant[];
  dialogs: PartnerDialogs;
  empty: ReactNode;
}) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const columns: Column<ListedTenant>[] = [
    idColumn('id', say.tenant, (row) => row.warehouse_tpw_id, { alwaysShown: true }),
    column('warehouse', say.warehouse, (row) => <Place number={row.warehouse_no} name={row.warehouse_name} />),
    column('store', say.store, (row) => <Place number={row.store_no} name={row.store_name} />),
    column('receiving', say.receiving, (row) => say.receivingRule[row.receiving]),
    column('days', say.sellableDays, (row) => <SellableDaysText days={row.sellable_days_before_expiry} />, {
      align: 'right',
    }),
    numberColumn('over', say.overDelivery, (row) => row.over_delivery_percent),
    column('callback', say.callbackUrl, (row) => row.callback_url ?? say.callbackUrlOfAccount),
    column('state', say.state, (row) => <EnabledBadge enabled={row.enabled} />),
    ...(mayChange ? [column('actions', shared.noun.actions, menuOf, { width: 1, alwaysShown: true })] : []),
  ];
  function menuOf(row: ListedTenant) {
    return (
      <RowMenu
        name={row.warehouse_tpw_id}
        dialogs={dialogs}
        edit={{ kind: 'tenant', accountNo: row.account_no, tenant: row }}
        secrets={[row.callback_secret]}
        accountNo={row.account_no}
        target={{ kind: 'tenant', account_no: row.account_no, warehouse_tpw_id: row.warehouse_tpw_id }}
        enabled={row.enabled}
      />
    );
  }
  return (
    <DataTable
      name="tenants"
      label={say.tenants}
      columns={columns}
      list={plainRows(tenants, (row) => row.warehouse_tpw_id)}
      rowName={(row) => row.warehouse_tpw_id}
      bare
      empty={empty}
    />
  );
}
