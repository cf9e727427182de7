import type { ReactNode } from 'react';
import type { ListedLogisticsKey } from '../../../contract/console/partners.ts';
import { column, idColumn, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import type { LiveList } from '../../kit/use-live-list.ts';
import { AccountLink } from './client-table.tsx';
import { EnabledBadge, LastUsed, Place, SecretAge } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { RowMenu } from './row-menu.tsx';
import { SellableDaysText } from './stock-rules.tsx';
import { words } from './words.ts';

export interface KeyTableProps {
  keys: ListedLogisticsKey[];
  dialogs: PartnerDialogs;
  empty: ReactNode;
  /** True on the page of one account, which needs no account column. */
  ofOneAccount?: boolean;
  toolbar?: ReactNode;
  /** The call that lists them. */
  question?: LiveList<never>['question'];
}

export function KeyTable({ keys, dialogs, empty, toolbar, question = null, ofOneAccount = false }: KeyTableProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const columns: Column<ListedLogisticsKey>[] = [
    idColumn('name', say.keyName, (row) => row.name, { alwaysShown: true }),
    ...(ofOneAccount
      ? []
      : [column('account', say.account, (row: ListedLogisticsKey) => <AccountLink accountNo={row.account_no} />)]),
    column('warehouse', say.warehouse, (row) => <Place number={row.warehouse_no} name={row.warehouse_name} />),
    column('store', say.store, (row) => <Place number={row.store_no} name={row.store_name} />),
    column('receiving', say.receiving, (row) => say.receivingRule[row.receiving], { hiddenAtFirst: !ofOneAccount }),
    column('days', say.sellableDays, (row) => <SellableDaysText days={row.sellable_days_before_expiry} />, {
      align: 'right',
      hiddenAtFirst: !ofOneAccount,
    }),
    numberColumn('receiveAfter', say.receiveAfter, (row) => row.receive_after_s, { hiddenAtFirst: true }),
    numberColumn('over', say.overDelivery, (row) => row.over_delivery_percent, { hiddenAtFirst: true }),
    column('state', say.state, (row) => <EnabledBadge enabled={row.enabled} accountEnabled={row.account_enabled} />),
    column('used', say.lastUsed, (row) => <LastUsed at={row.last_used_at} />),
    column('key', say.secretName.logistics_key, (row) => <SecretAge secret={row.key} />),
    column('callback', say.secretName.callback_secret, (row) => <SecretAge secret={row.callback_secret} />, {
      hiddenAtFirst: true,
    }),
    ...(mayChange ? [column('actions', shared.noun.actions, menuOf, { width: 1, alwaysShown: true })] : []),
  ];
  function menuOf(row: ListedLogisticsKey) {
    return (
      <RowMenu
        name={`${row.account_no}/${row.name}`}
        dialogs={dialogs}
        edit={{ kind: 'key', accountNo: row.account_no, logisticsKey: row }}
        secrets={[row.key, row.callback_secret]}
        accountNo={row.account_no}
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
      list={{ ...plainRows(keys, (row) => `${row.account_no}/${row.name}`), question }}
      rowName={(row) => `${row.account_no}/${row.name}`}
      bare={ofOneAccount}
      toolbar={toolbar}
      empty={empty}
    />
  );
}
