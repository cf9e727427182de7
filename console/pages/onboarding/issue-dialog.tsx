import { Checkbox, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { handoverIssue, IssuedLink, LinkLanguage } from '../../../contract/console/onboarding.ts';
import type { AccountDetail, SecretFacts } from '../../../contract/console/partners.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { useNotices } from '../../kit/notices.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words as partnerWords } from '../partners/words.ts';
import { HoursField, LanguageField } from './link-fields.tsx';
import { words } from './words.ts';

type ToIssue = BodyOf<typeof handoverIssue>['secrets'][number];

/** The secrets of an account that exist, those that callers need first. */
function secretsOf({ secret, callback_secret, client_rows, key_rows, tenant_rows, warehouse_api }: AccountDetail) {
  const all = [
    ...(warehouse_api ? [secret] : []),
    ...client_rows.map((row) => row.check_value),
    ...key_rows.flatMap((row) => [row.key, row.callback_secret]),
    callback_secret,
    ...tenant_rows.map((row) => row.callback_secret),
  ];
  return all.filter((facts): facts is SecretFacts & ToIssue => facts.since !== null);
}

const nameOf = ({ kind, owner }: ToIssue) => `${kind} ${owner}`;

export interface IssueDialogProps {
  account: AccountDetail;
  onIssued(link: IssuedLink): void;
  onClose(): void;
}

/** Replaces the chosen secrets and issues one link to the new ones. */
export function IssueDialog({ account, onIssued, onClose }: IssueDialogProps) {
  const say = useWords(words);
  const partners = useWords(partnerWords);
  const secrets = secretsOf(account);
  const [chosen, setChosen] = useState(() => secrets.map(nameOf));
  const [overlap, setOverlap] = useState('86400');
  const [hours, setHours] = useState('72');
  const [language, setLanguage] = useState<LinkLanguage>(useLanguage().language);
  const issue = useIssue(account.account_no, onIssued, onClose);
  const wanted = secrets.filter((secret) => chosen.includes(nameOf(secret)));
  return (
    <ConfirmDialog
      opened
      title={say.newLinkTitle(account.account_no)}
      confirmLabel={say.issue}
      isRunning={issue.isRunning}
      onClose={onClose}
      onConfirm={() => {
        if (wanted.length > 0) issue.run(wanted, { overlap_s: Number(overlap), hours: Number(hours), language });
      }}
    >
      <Stack gap="md">
        <Text size="sm">{say.newLinkHint}</Text>
        <Checkbox.Group label={say.contains} value={chosen} onChange={setChosen}>
          <Stack gap="xs" mt="xs">
            {secrets.map((secret) => (
              <Checkbox
                key={nameOf(secret)}
                value={nameOf(secret)}
                label={partners.secretOf(partners.secretName[secret.kind], secret.owner)}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={partners.overlap}
          data={Object.entries(partners.overlapChoice).map(([value, label]) => ({ value, label }))}
          value={overlap}
          allowDeselect={false}
          onChange={(picked) => setOverlap(picked ?? overlap)}
        />
        <HoursField value={hours} onChange={setHours} />
        <LanguageField value={language} onChange={setLanguage} />
      </Stack>
    </ConfirmDialog>
  );
}

type LinkChoice = Pick<BodyOf<typeof handoverIssue>, 'overlap_s' | 'hours' | 'language'>;

/** A repeat after a lost response has the same id, and finds the same link. */
export function useIssue(accountNo: string, onIssued: (link: IssuedLink) => void, onClose: () => void) {
  const partners = useWords(partnerWords);
  const say = useWords(words);
  const notices = useNotices();
  const [requestId] = useState(newUuid);
  const change = useChange<typeof handoverIssue>('/handover/issue', {
    onAnswer: (answer) => {
      if (answer.kind === 'issued') onIssued(answer.link);
      else notices.refused(answer.kind === 'not_found' ? partners.notFound : say.otherRequest);
      onClose();
    },
  });
  const run = (secrets: ToIssue[], choice: LinkChoice) =>
    void change.run({
      request_id: requestId,
      account_no: accountNo,
      secrets: secrets.map(({ kind, owner }) => ({ kind, owner })),
      ...choice,
    });
  return { run, isRunning: change.isRunning };
}
