import type { ReactNode } from 'react';
import type { ListedLogisticsKey } from '../../../contract/console/partner-keys.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { AccountLink } from './client-table.tsx';
import { EnabledBadge, LastUsed, Place, SecretAge } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { RowMenu } from './row-menu.tsx';
import { SellableDaysText } from './sellable-days.tsx';
import { words } from './words.ts';

export interface KeyTableProps {
  keys: ListedLogisticsKey[];
  dialogs: PartnerDialogs;
  empty: ReactNode;
  /** On the page of their account. */
  ofOneAccount?: boolean;
  toolbar?: ReactNode;
}

export function KeyTable({ keys, dialogs, empty, toolbar, ofOneAccount = false }: KeyTableProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const columns: Column<ListedLogisticsKey>[] = [
    { key: 'name', title: say.keyName, cell: (row) => <IdText value={row.name} label={say.keyName} copy={false} />, alwaysShown: true },
    ...(ofOneAccount
      ? []
      : [{ key: 'account', title: say.account, cell: (row: ListedLogisticsKey) => <AccountLink accountNo={row.account_no} /> }]),
    { key: 'warehouse', title: say.warehouse, cell: (row) => <Place number={row.warehouse_no} name={row.warehouse_name} /> },
    { key: 'store', title: say.store, cell: (row) => <Place number={row.store_no} name={row.store_name} /> },
    { key: 'receiving', title: say.receiving, cell: (row) => say.receivingRule[row.receiving], hiddenAtFirst: !ofOneAccount },
    {
      key: 'days',
      title: say.sellableDays,
      align: 'right',
      cell: (row) => <SellableDaysText days={row.sellable_days_before_expiry} />,
      hiddenAtFirst: !ofOneAccount,
    },
    {
      key: 'over',
      title: say.overDelivery,
      align: 'right',
      cell: (row) => formatNumber(row.over_delivery_percent),
      hiddenAtFirst: true,
    },
    { key: 'state', title: say.state, cell: (row) => <EnabledBadge enabled={row.enabled} accountEnabled={row.account_enabled} /> },
    { key: 'used', title: say.lastUsed, cell: (row) => <LastUsed at={row.last_used_at} /> },
    { key: 'key', title: say.secretName.logistics_key, cell: (row) => <SecretAge secret={row.key} /> },
    {
      key: 'callback',
      title: say.secretName.callback_secret,
      cell: (row) => <SecretAge secret={row.callback_secret} />,
      hiddenAtFirst: true,
    },
    ...(mayChange ? [{ key: 'actions', title: shared.noun.actions, width: 1, alwaysShown: true, cell: menuOf }] : []),
  ];
  function menuOf(row: ListedLogisticsKey) {
    return (
      <RowMenu
        name={`${row.account_no}/${row.name}`}
        dialogs={dialogs}
        edit={{ kind: 'key', accountNo: row.account_no, logisticsKey: row }}
        secrets={[row.key, row.callback_secret]}
        target={{ kind: 'logistics_key', account_no: row.account_no, name: row.name }}
        enabled={row.enabled}
      />
    );
  }
  return (
    <DataTable
      name={ofOneAccount ? 'account-keys' : 'logistics-keys'}
      label={say.keys}
      columns={columns}
      list={plainRows(keys, (row) => `${row.account_no}/${row.name}`)}
      rowName={(row) => `${row.account_no}/${row.name}`}
      bare={ofOneAccount}
      toolbar={toolbar}
      empty={empty}
    />
  );
}
