import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDots, IconKey, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { ListedOperator, operatorsList, operatorsResetPassword } from '../../../contract/console/operators.ts';
import type { IssuedSecret } from '../../../contract/console/partner-values.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay, useSession } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { choicesFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { CreateButton } from '../partners/create-button.tsx';
import { IssuedSecrets } from '../partners/issued-secrets.tsx';
import { EnabledBadge } from '../partners/partner-cells.tsx';
import { hasText, isWanted, states } from '../partners/partner-filters.ts';
import { SwitchDialog } from '../partners/switch-dialog.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { OperatorForm, roles } from './operator-form.tsx';
import { words } from './words.ts';

const description = { text: textFilter, role: choicesFilter(roles), state: choicesFilter(states) } as const;

type Dialog = { kind: 'form'; operator: ListedOperator | null } | { kind: 'reset' | 'switch'; operator: ListedOperator };

export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const common = useWords(partnerWords);
  const mayChange = useMay('admin');
  const { username: ownName } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secrets, setSecrets] = useState<IssuedSecret[]>([]);
  const filters = useUrlFilters(description);
  const asked = useAsk<typeof operatorsList>('/operators/list', {}, { topics: ['partners', 'audit'] });
  const { text, role, state } = filters.values;
  const fits = (row: ListedOperator) =>
    hasText([row.username], text) && isWanted(row.role, role) && isWanted(row.enabled ? 'enabled' : 'disabled', state);
  const close = () => setDialog(null);
  const showSecrets = (issued: IssuedSecret[]) => {
    close();
    setSecrets(issued);
  };

  const columns: Column<ListedOperator>[] = [
    {
      key: 'username',
      title: say.username,
      cell: (row) => <Username operator={row} isOwn={row.username === ownName} />,
      alwaysShown: true,
    },
    { key: 'role', title: say.role, cell: (row) => shared.role[row.role] },
    { key: 'state', title: say.state, cell: (row) => <EnabledBadge enabled={row.enabled} /> },
    {
      key: 'signed',
      title: say.lastSignIn,
      cell: (row) =>
        row.last_signed_in_at === null ? (
          <Text component="span" inherit c="dimmed">
            {say.never}
          </Text>
        ) : (
          <Time at={row.last_signed_in_at} />
        ),
    },
    { key: 'sessions', title: say.sessions, align: 'right', cell: (row) => formatNumber(row.open_sessions) },
    { key: 'password', title: say.passwordSince, cell: (row) => <Time at={row.password_since} /> },
    {
      key: 'actions',
      title: shared.noun.actions,
      width: 1,
      alwaysShown: true,
      cell: (row) => <OperatorMenu operator={row} isOwn={row.username === ownName} onChoose={setDialog} />,
    },
  ];
  return (
    <>
      <PageHeader
        title={say.title}
        subtitle={say.subtitle}
        actions={mayChange && <CreateButton label={say.create} onClick={() => setDialog({ kind: 'form', operator: null })} />}
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
            list={plainRows(rows.filter(fits), (row) => row.username)}
            rowName={(row) => row.username}
            empty={<EmptyState title={say.emptyTitle} hint={say.emptyHint} />}
          />
        )}
      </AskedContent>
      {dialog?.kind === 'form' && <OperatorForm operator={dialog.operator} onClose={close} onDone={showSecrets} />}
      {dialog?.kind === 'reset' && <ResetDialog username={dialog.operator.username} onClose={close} onDone={showSecrets} />}
      {dialog?.kind === 'switch' && (
        <SwitchDialog
          target={{ kind: 'operator', username: dialog.operator.username }}
          enables={!dialog.operator.enabled}
          note={dialog.operator.username === ownName ? say.selfDisable : null}
          onClose={close}
        />
      )}
      <IssuedSecrets secrets={secrets} onClose={setSecrets} />
    </>
  );
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

function OperatorMenu({ operator, isOwn, onChoose }: { operator: ListedOperator; isOwn: boolean; onChoose(dialog: Dialog): void }) {
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
        {!isOwn && (
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

function ResetDialog({ username, onClose, onDone }: { username: string; onClose(): void; onDone(secrets: IssuedSecret[]): void }) {
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
