import { ActionIcon, Group, Menu, Text } from '@mantine/core';
import {
  IconDeviceMobileOff,
  IconDots,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { ListedOperator, operatorsList, operatorsResetPassword } from '../../../contract/console/operators.ts';
import type { IssuedSecret } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column, numberColumn, timeColumn } from '../../kit/columns.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { labelOf, useWarehouseOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay, useSession } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { bodyOf, choicesFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { CreateButton } from '../partners/create-button.tsx';
import { IssuedSecrets } from '../partners/issued-secrets.tsx';
import { EnabledBadge } from '../partners/partner-cells.tsx';
import { states } from '../partners/partner-states.ts';
import { SwitchDialog } from '../partners/switch-dialog.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { OperatorForm, roles } from './operator-form.tsx';
import { ResetTotpDialog } from './reset-totp-dialog.tsx';
import { words } from './words.ts';

const description = { text: textFilter, role: choicesFilter(roles), state: choicesFilter(states) } as const;

type Dialog =
  | { kind: 'form'; operator: ListedOperator | null }
  | { kind: 'reset' | 'reset-totp' | 'switch'; operator: ListedOperator };

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const common = useWords(partnerWords);
  const mayChange = useMay('admin');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secrets, setSecrets] = useState<IssuedSecret[]>([]);
  const filters = useUrlFilters(description);
  const body = bodyOf<typeof operatorsList>(filters);
  const asked = useAsk<typeof operatorsList>('/operators/list', body, {
    topics: ['partners', 'audit'],
    keepPrevious: true,
  });
  const close = () => setDialog(null);
  const showSecrets = (issued: IssuedSecret[]) => {
    close();
    setSecrets(issued);
  };
  const columns = useOperatorColumns(setDialog);
  return (
    <>
      <PageHeader
        title={say.title}
        subtitle={say.subtitle}
        actions={
          mayChange && <CreateButton label={say.create} onClick={() => setDialog({ kind: 'form', operator: null })} />
        }
      />
      <FilterBar
        filters={filters}
        labels={{ text: say.search, role: say.role, state: say.state }}
        options={{
          role: roles.map((value) => ({ value, label: shared.role[value] })),
          state: states.map((value) => ({ value, label: common[value] })),
        }}
        placeholders={{ text: say.username }}
      />
      <AskedContent asked={asked}>
        {({ rows }) => (
          <DataTable
            name="operators"
            label={say.title}
            columns={columns}
            list={{ ...plainRows(rows, (row) => row.username), question: { path: '/operators/list', body } }}
            rowName={(row) => row.username}
            empty={<EmptyState title={say.emptyTitle} hint={say.emptyHint} />}
          />
        )}
      </AskedContent>
      {dialog && <OpenDialog dialog={dialog} onClose={close} onDone={showSecrets} />}
      <IssuedSecrets secrets={secrets} onClose={setSecrets} />
    </>
  );
}

interface OpenDialogProps {
  dialog: Dialog;
  onClose(): void;
  onDone(secrets: IssuedSecret[]): void;
}

function OpenDialog({ dialog, onClose, onDone }: OpenDialogProps) {
  const say = useWords(words);
  const { username: ownName } = useSession();
  switch (dialog.kind) {
    case 'form':
      return <OperatorForm operator={dialog.operator} onClose={onClose} onDone={onDone} />;
    case 'reset':
      return <ResetDialog username={dialog.operator.username} onClose={onClose} onDone={onDone} />;
    case 'reset-totp':
      return <ResetTotpDialog username={dialog.operator.username} onClose={onClose} />;
    case 'switch':
      return (
        <SwitchDialog
          target={{ kind: 'operator', username: dialog.operator.username }}
          enables={!dialog.operator.enabled}
          note={dialog.operator.username === ownName ? say.selfDisable : null}
          onClose={onClose}
        />
      );
    default:
      return dialog satisfies never;
  }
}

function useOperatorColumns(onChoose: (dialog: Dialog) => void): Column<ListedOperator>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { username: ownName } = useSession();
  const warehouses = useWarehouseOptions();
  return [
    column('username', say.username, (row) => <Username operator={row} isOwn={row.username === ownName} />, {
      alwaysShown: true,
    }),
    column('role', say.role, (row) => shared.role[row.role]),
    column('warehouses', say.warehouses, ({ role, warehouse_nos }) =>
      warehouse_nos === null || role === 'admin'
        ? say.allWarehouses
        : warehouse_nos.map((warehouseNo) => labelOf(warehouses, warehouseNo)).join(', '),
    ),
    column('state', say.state, (row) => <EnabledBadge enabled={row.enabled} />),
    column('signed', say.lastSignIn, (row) =>
      row.last_signed_in_at === null ? (
        <Text component="span" inherit c="dimmed">
          {say.never}
        </Text>
      ) : (
        <Time at={row.last_signed_in_at} />
      ),
    ),
    numberColumn('sessions', say.sessions, (row) => row.open_sessions),
    timeColumn('password', say.passwordSince, (row) => row.password_since),
    column('protection', say.protection, (row) => <Protection operator={row} />),
    column(
      'actions',
      shared.noun.actions,
      (row) => <OperatorMenu operator={row} isOwn={row.username === ownName} onChoose={onChoose} />,
      { width: 1, alwaysShown: true },
    ),
  ];
}

function Username({ operator, isOwn }: { operator: ListedOperator; isOwn: boolean }) {
  const say = useWords(words);
  return (
    <span>
      <IdText value={operator.username} label={say.username} copy={false} />
      {isOwn && (
        <Text component="span" inherit c="dimmed" ml={6}>
          ({say.you})
        </Text>
      )}
    </span>
  );
}

function Protection({ operator }: { operator: ListedOperator }) {
  const say = useWords(words);
  return (
    <Group gap="xs">
      {operator.is_external && <StatusBadge tone="done">{say.external}</StatusBadge>}
      {operator.totp_since !== null && <StatusBadge tone="done">{say.totp}</StatusBadge>}
      {!operator.is_external && operator.totp_since === null && (
        <StatusBadge tone="todo">{say.onlyPassword}</StatusBadge>
      )}
      {operator.has_weak_password && <StatusBadge tone="failed">{say.weakPassword}</StatusBadge>}
      {operator.password_until !== null && (
        <span>
          <StatusBadge tone="waiting">{say.emergencyUntil}</StatusBadge> <Time at={operator.password_until} />
        </span>
      )}
    </Group>
  );
}

function OperatorMenu({
  operator,
  isOwn,
  onChoose,
}: {
  operator: ListedOperator;
  isOwn: boolean;
  onChoose(dialog: Dialog): void;
}) {
  const say = useWords(words);
  const common = useWords(partnerWords);
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={common.more(operator.username)}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onChoose({ kind: 'form', operator })}>
          {say.changeRole}
        </Menu.Item>
        {!isOwn && operator.totp_since !== null && (
          <Menu.Item
            leftSection={<IconDeviceMobileOff size={15} />}
            onClick={() => onChoose({ kind: 'reset-totp', operator })}
          >
            {say.resetTotp}
          </Menu.Item>
        )}
        {!isOwn && operator.password_since !== null && (
          <Menu.Item leftSection={<IconKey size={15} />} onClick={() => onChoose({ kind: 'reset', operator })}>
            {say.resetPassword}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={operator.enabled ? <IconPlayerPause size={15} /> : <IconPlayerPlay size={15} />}
          onClick={() => onChoose({ kind: 'switch', operator })}
        >
          {operator.enabled ? common.disable : common.enable}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ResetDialog({
  username,
  onClose,
  onDone,
}: {
  username: string;
  onClose(): void;
  onDone(secrets: IssuedSecret[]): void;
}) {
  const say = useWords(words);
  const notices = useNotices();
  const reset = useChange<typeof operatorsResetPassword>('/operators/reset-password', {
    onAnswer: (answer) => {
      if (answer.kind === 'reset') notices.done(say.wasReset(username));
      else notices.refused(answer.kind === 'own' ? say.own : say.notFound);
      onDone(answer.kind === 'reset' ? [answer.secret] : []);
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={say.resetQuestion(username)}
      confirmLabel={say.resetConfirm}
      isRunning={reset.isRunning}
      onConfirm={() => void reset.run({ username })}
    >
      {say.resetEffect(username)}
    </ConfirmDialog>
  );
}
