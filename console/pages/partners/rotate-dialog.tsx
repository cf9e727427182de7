import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { IssuedSecret, SecretFacts, secretsRotate } from '../../../contract/console/partners.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { useNow } from '../../kit/time.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

const overlaps = ['0', '3600', '86400', '604800'] as const;
type Overlap = (typeof overlaps)[number];

export interface RotateDialogProps {
  secret: Pick<SecretFacts, 'kind' | 'owner'>;
  onDone(secrets: IssuedSecret[]): void;
  onClose(): void;
}

/** Issues a new secret. The operator chooses how long the previous one stays valid. */
export function RotateDialog({ secret: { kind, owner }, onDone, onClose }: RotateDialogProps) {
  const say = useWords(words);
  const notices = useNotices();
  const now = useNow();
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const what = say.secretName[kind];
  const rotate = useChange<typeof secretsRotate>('/secrets/rotate', {
    onAnswer: (answer) => {
      if (answer.kind === 'not_found') notices.refused(say.notFound);
      else notices.done(say.rotated(what, owner));
      onDone(answer.kind === 'rotated' ? [answer.secret] : []);
    },
  });
  const until = formatInstant(new Date(now.getTime() + Number(overlap) * 1000)).slice(0, 16);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={say.rotateQuestion(say.secretInText[kind], owner)}
      confirmLabel={say.rotateConfirm}
      danger={overlap === '0'}
      isRunning={rotate.isRunning}
      onConfirm={() => void rotate.run({ kind, owner, overlap_s: Number(overlap) })}
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
        <Text size="sm" role="status">
          {overlap === '0' ? say.overlapNone : say.overlapUntil(until)}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}
