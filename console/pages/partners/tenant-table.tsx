import type { ReactNode } from 'react';
import type { ListedTenant } from '../../../contract/console/partner-tenants.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { EnabledBadge, Place } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { RowMenu } from './row-menu.tsx';
import { SellableDaysText } from './sellable-days.tsx';
import { words } from './words.ts';

export function TenantTable({ tenants, dialogs, empty }: { tenants: ListedTenant[]; dialogs: PartnerDialogs; empty: ReactNode }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const columns: Column<ListedTenant>[] = [
    {
      key: 'id',
      title: say.tenant,
      cell: (row) => <IdText value={row.warehouse_tpw_id} label={say.tenantId} copy={false} />,
      alwaysShown: true,
    },
    { key: 'warehouse', title: say.warehouse, cell: (row) => <Place number={row.warehouse_no} name={row.warehouse_name} /> },
    { key: 'store', title: say.store, cell: (row) => <Place number={row.store_no} name={row.store_name} /> },
    { key: 'receiving', title: say.receiving, cell: (row) => say.receivingRule[row.receiving] },
    {
      key: 'days',
      title: say.sellableDays,
      align: 'right',
      cell: (row) => <SellableDaysText days={row.sellable_days_before_expiry} />,
    },
    { key: 'over', title: say.overDelivery, align: 'right', cell: (row) => formatNumber(row.over_delivery_percent) },
    { key: 'state', title: say.state, cell: (row) => <EnabledBadge enabled={row.enabled} /> },
    ...(mayChange ? [{ key: 'actions', title: shared.noun.actions, width: 1, alwaysShown: true, cell: menuOf }] : []),
  ];
  function menuOf(row: ListedTenant) {
    return (
      <RowMenu
        name={row.warehouse_tpw_id}
        dialogs={dialogs}
        edit={{ kind: 'tenant', accountNo: row.account_no, tenant: row }}
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
