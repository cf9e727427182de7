import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AskError } from '../../kit/ask-error.ts';
import { useWords } from '../../kit/language.tsx';
import { useSessionKeeper } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { type Failure, failureOf, formatFailure, useSecondsUntil } from './failure.ts';
import { words } from './words.ts';

interface CodeFormProps {
  ticket: string;
  onExpired(): void;
  onBack(): void;
}

/** The second step of the sign-in. */
export function CodeForm({ ticket, onExpired, onBack }: CodeFormProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { signInWithCode } = useSessionKeeper();
  const [code, setCode] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [blockedHours, setBlockedHours] = useState<number | null>(null);
  const [isRunning, setRunning] = useState(false);
  const waitSeconds = useSecondsUntil(failure?.kind === 'throttled' ? failure.untilMs : 0);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(code.trim() === '');
    if (code.trim() === '') return;
    setRunning(true);
    setFailure(null);
    try {
      const outcome = await signInWithCode(ticket, code.replaceAll(/\s/g, ''));
      if (outcome.kind === 'expired') return onExpired();
      const isBlocked = outcome.kind === 'too_many_codes';
      setBlockedHours(isBlocked ? Math.ceil(outcome.retry_after_s / 3600) : null);
      setFailure(isBlocked ? null : failureOf(outcome));
    } catch (error) {
      setFailure({ kind: 'error', error: error as AskError });
    }
    setRunning(false);
  };
  const texts = { ...say, refused: say.codeRefused };
  const failed = failure && formatFailure(failure, waitSeconds, texts, shared.errorKind);
  const blocked = blockedHours === null ? null : say.tooManyCodes(blockedHours);
  const mistake = isMissing ? say.codeMissing : (blocked ?? failed);
  return (
    <form onSubmit={submit} noValidate method="post">
      <Stack gap="md">
        <Text size="sm">{say.codeHint}</Text>
        <TextInput
          name="code"
          size="sm"
          label={say.code}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={mistake && <span role="alert">{mistake}</span>}
        />
        <Button type="submit" size="sm" fullWidth loading={isRunning} disabled={waitSeconds > 0}>
          {say.submit}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {say.otherOperator}
        </Anchor>
      </Stack>
    </form>
  );
}
