import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useWords } from '../../kit/language.tsx';
import { useSession } from '../../kit/session.tsx';
import { words } from './words.ts';

export interface ProofMistakes {
  password?: string;
  code?: string;
}

interface ProofFormProps {
  /** Codes are in use, so one is needed as well. */
  needsCode: boolean;
  submitLabel: string;
  isRunning: boolean;
  mistakes: ProofMistakes;
  onSubmit(proof: { password: string; code?: string }): void;
  onCancel?: (() => void) | undefined;
}

/** The password, and a code if codes are in use, before the codes are changed. */
export function ProofForm({ needsCode, submitLabel, isRunning, mistakes, onSubmit, onCancel }: ProofFormProps) {
  const say = useWords(words);
  const { username } = useSession();
  const [values, setValues] = useState({ password: '', code: '' });
  const [missing, setMissing] = useState<ProofMistakes>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = {
      ...(values.password === '' && { password: say.mistake.missing }),
      ...(needsCode && values.code.trim() === '' && { code: say.mistake.missing }),
    };
    setMissing(found);
    if (Object.keys(found).length > 0 || isRunning) return;
    onSubmit({ password: values.password, ...(needsCode && { code: values.code.trim() }) });
  };
  const errorOf = (field: keyof ProofMistakes) => {
    const error = missing[field] ?? mistakes[field];
    return error ? <span role="alert">{error}</span> : null;
  };
  return (
    <form onSubmit={submit} noValidate method="post">
      <Stack gap="md" maw={360}>
        <input type="text" name="username" value={username} readOnly hidden autoComplete="username" />
        <PasswordInput
          label={say.password}
          autoComplete="current-password"
          autoFocus
          maxLength={256}
          value={values.password}
          error={errorOf('password')}
          onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
          visibilityToggleButtonProps={{ 'aria-label': say.showPassword, tabIndex: 0 }}
        />
        {needsCode && (
          <TextInput
            label={say.code}
            autoComplete="one-time-code"
            maxLength={64}
            value={values.code}
            error={errorOf('code')}
            onChange={(event) => setValues({ ...values, code: event.currentTarget.value })}
          />
        )}
        <Group>
          <Button type="submit" loading={isRunning}>
            {submitLabel}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {say.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
