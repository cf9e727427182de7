import { Checkbox, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { IssuedLink } from '../../../contract/console/onboarding.ts';
import type { IssuedSecret, SecretFacts, secretsRotate } from '../../../contract/console/partners.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useLanguage, useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { useNow } from '../../kit/time.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import { useChange } from '../../kit/use-change.tsx';
import { useIssue } from '../onboarding/issue-dialog.tsx';
import { keepIssuedLink } from '../onboarding/issued-links.ts';
import { words as onboardingWords } from '../onboarding/words.ts';
import { words } from './words.ts';

const overlaps = ['0', '3600', '86400', '604800'] as const;
type Overlap = (typeof overlaps)[number];

export interface RotateDialogProps {
  secret: Pick<SecretFacts, 'kind' | 'owner'>;
  /** The account to whose partner the secret can be handed over by a link. */
  accountNo?: string | undefined;
  onDone(secrets: IssuedSecret[]): void;
  onClose(): void;
}

/** Issues a new secret. The operator chooses how long the previous one stays valid, and how to hand over the new one. */
export function RotateDialog({ secret, accountNo, onDone, onClose }: RotateDialogProps) {
  const { kind, owner } = secret;
  const say = useWords(words);
  const { byLink, byLinkHint } = useWords(onboardingWords);
  const now = useNow();
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const [isByLink, setByLink] = useState(false);
  const { run, isRunning } = useRotation({ secret, accountNo, onDone, onClose });
  const until = formatInstant(new Date(now.getTime() + Number(overlap) * 1000)).slice(0, 16);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={say.rotateQuestion(say.secretInText[kind], owner)}
      confirmLabel={say.rotateConfirm}
      danger={overlap === '0'}
      isRunning={isRunning}
      onConfirm={() => run(Number(overlap), isByLink)}
    >
      <Stack gap="sm">
        <Text size="sm">{say.secretUse[kind]}</Text>
        <Radio.Group label={say.overlap} value={overlap} onChange={(chosen) => setOverlap(chosen as Overlap)}>
          <Stack gap="xs" mt="xs">
            {overlaps.map((choice) => (
              <Radio key={choice} size="xs" value={choice} label={say.overlapChoice[choice]} />
            ))}
          </Stack>
        </Radio.Group>
        {accountNo !== undefined && (
          <Checkbox
            label={byLink}
            description={byLinkHint}
            checked={isByLink}
            onChange={(event) => setByLink(event.currentTarget.checked)}
          />
        )}
        <Text size="sm" role="status">
          {overlap === '0' ? say.overlapNone : say.overlapUntil(until)}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}

const linkHours = 72;

/** Shows the new secret, or the page of the account's hand-over with a link to it. */
function useRotation({ secret: { kind, owner }, accountNo = '', onDone, onClose }: RotateDialogProps) {
  const say = useWords(words);
  const notices = useNotices();
  const navigate = useNavigate();
  const { language } = useLanguage();
  const rotate = useChange<typeof secretsRotate>('/secrets/rotate', {
    onAnswer: (answer) => {
      if (answer.kind === 'not_found') notices.refused(say.notFound);
      else notices.done(say.rotated(say.secretName[kind], owner));
      onDone(answer.kind === 'rotated' ? [answer.secret] : []);
    },
  });
  const showLink = (link: IssuedLink) => {
    keepIssuedLink(accountNo, link);
    void navigate(`/partners/accounts/${encodeURIComponent(accountNo)}/handover?language=${link.language}`);
  };
  const issue = useIssue(accountNo, showLink, onClose);
  const run = (overlap_s: number, isByLink: boolean) => {
    if (isByLink && kind !== 'connector_secret')
      issue.run([{ kind, owner }], { overlap_s, hours: linkHours, language });
    else void rotate.run({ kind, owner, overlap_s });
  };
  return { run, isRunning: rotate.isRunning || issue.isRunning };
}
