import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ListedSession, sessionsEnd, sessionsList } from '../../../contract/console/sessions.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column, timeColumn } from '../../kit/columns.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay, useSession } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { flagFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { SecondFactor } from '../second-factor/second-factor.tsx';
import { browserName } from './browser-name.ts';
import { ChangePassword } from './change-password.tsx';
import { words } from './words.ts';

const description = { own: flagFilter } as const;

/** Shows the operator's own sessions, or all sessions to an administrator, and the form to change one's password. */
export function Component() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const seesAll = useMay('admin');
  const { username } = useSession();
  const filters = useUrlFilters(description);
  const [ending, setEnding] = useState<ListedSession | null>(null);
  const asked = useAsk<typeof sessionsList>('/sessions/list', {}, { topics: ['audit', 'partners'], everyMs: 60_000 });
  const nameOf = ({ user_agent }: ListedSession) => browserName(user_agent) ?? say.unknownBrowser;

  const columns: Column<ListedSession>[] = [
    ...(seesAll ? [column('operator', say.operator, (row: ListedSession) => row.username, { alwaysShown: true })] : []),
    column('browser', say.browser, (row) => <span title={row.user_agent}>{nameOf(row)}</span>, { alwaysShown: true }),
    column('address', say.address, (row) => row.address),
    timeColumn('began', say.began, (row) => row.created_at),
    timeColumn('seen', say.lastSeen, (row) => row.last_seen_at),
    timeColumn('expires', say.expires, (row) => row.expires_at),
    column(
      'end',
      shared.noun.actions,
      (row) =>
        row.is_current ? (
          <StatusBadge tone="active">{say.current}</StatusBadge>
        ) : (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={say.endOf(row.username, row.address)}
            onClick={() => setEnding(row)}
          >
            {say.end}
          </Button>
        ),
      { width: 1, alwaysShown: true },
    ),
  ];
  return (
    <>
      <PageHeader title={seesAll ? say.titleAll : say.title} subtitle={seesAll ? say.subtitleAll : say.subtitle} />
      {seesAll && <FilterBar filters={filters} labels={{ own: say.onlyOwn }} options={{}} />}
      <AskedContent asked={asked}>
        {({ sessions }) => (
          <DataTable
            name="sessions"
            label={say.titleAll}
            columns={columns}
            list={plainRows(
              sessions.filter((row) => !filters.values.own || row.username === username),
              (row) => row.session_id,
            )}
            rowName={(row) => `${row.username} ${row.address}`}
            empty={<EmptyState title={say.emptyTitle} hint={say.emptyHint} />}
          />
        )}
      </AskedContent>
      <OwnProtection />
      {ending && <EndDialog session={ending} browser={nameOf(ending)} onClose={() => setEnding(null)} />}
    </>
  );
}

function OwnProtection() {
  const { signed_in_with } = useSession();
  return (
    <>
      {signed_in_with === 'password' && <ChangePassword />}
      <SecondFactor />
    </>
  );
}

function EndDialog({ session, browser, onClose }: { session: ListedSession; browser: string; onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const end = useChange<typeof sessionsEnd>('/sessions/end', {
    onAnswer: ({ kind }) => {
      onClose();
      notices.done(kind === 'ended' ? say.ended : say.alreadyEnded);
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={say.endQuestion(session.username)}
      confirmLabel={say.endConfirm}
      isRunning={end.isRunning}
      onConfirm={() => void end.run({ session_id: session.session_id })}
    >
      {say.endEffect(browser, session.address)}
    </ConfirmDialog>
  );
}
