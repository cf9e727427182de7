import { Anchor, Text, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ListedClient } from '../../../contract/console/partners.ts';
import { column, idColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import type { LiveList } from '../../kit/use-live-list.ts';
import { permissionsInOrder } from './client-form.tsx';
import { EnabledBadge, LastUsed, SecretAge } from './partner-cells.tsx';
import type { PartnerDialogs } from './partner-dialogs.tsx';
import { RowMenu } from './row-menu.tsx';
import { words } from './words.ts';

export interface ClientTableProps {
  clients: ListedClient[];
  dialogs: PartnerDialogs;
  empty: ReactNode;
  /** True on the page of one account, which needs no account column. */
  ofOneAccount?: boolean;
  toolbar?: ReactNode;
  /** The call that lists them. */
  question?: LiveList<never>['question'];
}

export function ClientTable({
  clients,
  dialogs,
  empty,
  toolbar,
  question = null,
  ofOneAccount = false,
}: ClientTableProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayChange = useMay('admin');
  const columns: Column<ListedClient>[] = [
    idColumn('id', say.clientId, (row) => row.client_id, { alwaysShown: true }),
    ...(ofOneAccount
      ? []
      : [column('account', say.account, (row: ListedClient) => <AccountLink accountNo={row.account_no} />)]),
    column('permissions', say.permissions, (row) => <Permissions client={row} />),
    column('state', say.state, (row) => <EnabledBadge enabled={row.enabled} accountEnabled={row.account_enabled} />),
    column('used', say.lastUsed, (row) => <LastUsed at={row.last_used_at} />),
    column('secret', say.secretName.check_value, (row) => <SecretAge secret={row.check_value} />),
    ...(mayChange ? [column('actions', shared.noun.actions, menuOf, { width: 1, alwaysShown: true })] : []),
  ];
  function menuOf(row: ListedClient) {
    return (
      <RowMenu
        name={row.client_id}
        dialogs={dialogs}
        edit={{ kind: 'client', accountNo: row.account_no, client: row }}
        secrets={[row.check_value]}
        accountNo={row.account_no}
        target={{ kind: 'client', client_id: row.client_id }}
        enabled={row.enabled}
      />
    );
  }
  return (
    <DataTable
      name="clients"
      label={say.clients}
      columns={columns}
      list={{ ...plainRows(clients, (row) => row.client_id), question }}
      rowName={(row) => row.client_id}
      bare={ofOneAccount}
      toolbar={toolbar}
      empty={empty}
    />
  );
}

export function AccountLink({ accountNo }: { accountNo: string }) {
  return (
    <Anchor component={Link} to={`/partners/accounts/${encodeURIComponent(accountNo)}`} inherit>
      {accountNo}
    </Anchor>
  );
}

/** Lists a few permissions by name, and many as a count with a tooltip. */
function Permissions({ client: { permissions } }: { client: ListedClient }) {
  const say = useWords(words);
  if (permissions.length === 0)
    return (
      <Text component="span" inherit c="dimmed">
        {say.permissionsNone}
      </Text>
    );
  const inOrder = permissionsInOrder.filter((permission) => permissions.includes(permission));
  if (permissions.length <= shownPermissionsMax) return <span>{inOrder.join(', ')}</span>;
  const text =
    permissions.length === permissionsInOrder.length
      ? say.permissionsAll
      : say.permissionsCount(formatNumber(permissions.length));
  return (
    <Tooltip label={inOrder.join(', ')} multiline maw={280}>
      <span>{text}</span>
    </Tooltip>
  );
}

const shownPermissionsMax = 2;
