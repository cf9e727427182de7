import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { handoverLinks, handoverRevoke, IssuedLink, ListedLink } from '../../../contract/console/onboarding.ts';
import type { AccountDetail } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { column, timeColumn } from '../../kit/columns.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { IssueDialog } from './issue-dialog.tsx';
import { words } from './words.ts';

/** The links of an account: whether and when each was opened. */
export function HandoverLinks({ account, onIssued }: { account: AccountDetail; onIssued(link: IssuedLink): void }) {
  const say = useWords(words);
  const { account_no } = account;
  const mayIssue = useMay('admin');
  const [isOpen, setOpen] = useState(false);
  const [revoking, setRevoking] = useState<ListedLink | null>(null);
  const asked = useAsk<typeof handoverLinks>('/handover/links', { account_no }, { everyMs: 10_000 });
  const columns = useLinkColumns(setRevoking);
  const issue = (
    <Button variant="default" onClick={() => setOpen(true)}>
      {say.newLink}
    </Button>
  );
  return (
    <Section title={say.links} flush actions={mayIssue && issue}>
      <AskedContent asked={asked} lines={2}>
        {({ links }) => (
          <DataTable
            name="handover-links"
            label={say.links}
            columns={columns}
            list={plainRows(links, (row) => row.link_id)}
            rowName={(row) => row.created_at}
            empty={<EmptyState title={say.linksEmpty} hint={say.linksEmptyHint} />}
          />
        )}
      </AskedContent>
      {isOpen && <IssueDialog account={account} onIssued={onIssued} onClose={() => setOpen(false)} />}
      {revoking && <RevokeDialog accountNo={account_no} link={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

const toneOfState = { waiting: 'active', opened: 'done', expired: 'stopped', revoked: 'stopped' } as const;

function useLinkColumns(onRevoke: (link: ListedLink) => void) {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const shared = useWords(sharedWords);
  const mayRevoke = useMay('admin');
  return [
    timeColumn<ListedLink>('created', say.issued, (row) => row.created_at),
    column<ListedLink>('by', say.issuedBy, (row) => row.created_by),
    column<ListedLink>('contains', say.contains, ({ secrets }) => (
      <Stack gap={0}>
        {secrets.map(({ kind, owner }) => (
          <span key={`${kind} ${owner}`}>{partners.secretOf(partners.secretName[kind], owner)}</span>
        ))}
      </Stack>
    )),
    column<ListedLink>('state', shared.noun.status, (row) => <LinkState link={row} />),
    timeColumn<ListedLink>('expires', say.expires, (row) => row.expires_at),
    ...(mayRevoke
      ? [
          column<ListedLink>('actions', shared.noun.actions, (row) =>
            row.state === 'waiting' ? (
              <Button variant="default" size="compact-sm" onClick={() => onRevoke(row)}>
                {say.revoke}
              </Button>
            ) : null,
          ),
        ]
      : []),
  ];
}

function LinkState({ link }: { link: ListedLink }) {
  const say = useWords(words);
  const at = link.opened_at ?? link.revoked_at;
  return (
    <div>
      <StatusBadge tone={toneOfState[link.state]}>{say.linkState[link.state]}</StatusBadge>
      {at !== null && (
        <Text size="xs" c="dimmed" component="div">
          <Time at={at} absolute />{' '}
          {link.opened_from !== null ? say.openedFrom(link.opened_from) : say.by(link.revoked_by ?? '')}
        </Text>
      )}
    </div>
  );
}

function RevokeDialog({ accountNo, link, onClose }: { accountNo: string; link: ListedLink; onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const revoke = useChange<typeof handoverRevoke>('/handover/revoke', {
    onAnswer: ({ kind }) => {
      if (kind === 'revoked') notices.done(say.revoked);
      else notices.refused(say.revokeEnded);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      title={say.revokeQuestion}
      confirmLabel={say.revoke}
      isRunning={revoke.isRunning}
      onClose={onClose}
      onConfirm={() => void revoke.run({ account_no: accountNo, link_id: link.link_id })}
    >
      <Text size="sm">{say.revokeEffect}</Text>
    </ConfirmDialog>
  );
}
