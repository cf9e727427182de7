import { Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import iconUrl from '../../icon.svg';
import type { AskError } from '../../kit/ask-error.ts';
import { ErrorState } from '../../kit/error-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatError } from '../../kit/notices.tsx';
import { safeReturnPath } from '../../kit/return-path.ts';
import { useSessionKeeper } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { ColourMenu } from '../../shell/colour-menu.tsx';
import { LanguageSwitch } from '../../shell/language-switch.tsx';
import classes from './sign-in.module.css';
import { words } from './words.ts';

type Failure = { kind: 'refused' } | { kind: 'throttled'; untilMs: number } | { kind: 'error'; error: AskError };

export function Component() {
  const { state, look } = useSessionKeeper();
  const [parameters] = useSearchParams();
  const say = useWords(words);
  const shared = useWords(sharedWords);
  useEffect(() => {
    document.title = `${say.title} · ${shared.product}`;
  }, [say, shared]);

  if (state.kind === 'unknown') return null;
  if (state.kind === 'unreachable') return <ErrorState error={state.error} onRetry={look} />;
  if (state.kind === 'signed_in') return <Navigate to={safeReturnPath(parameters.get('return'))} replace />;
  return (
    <div className={classes.page}>
      <div className={classes.corner}>
        <LanguageSwitch />
        <ColourMenu />
      </div>
      <main className={classes.main}>
        <div className={classes.brand}>
          <img src={iconUrl} width={40} height={40} alt="" />
          <div>
            <div className={classes.product}>{shared.product}</div>
            <Text c="dimmed" size="sm">
              {say.subtitle}
            </Text>
          </div>
        </div>
        <Paper p="xl">
          <Title order={1} mb="md">
            {say.title}
          </Title>
          <SignInForm />
        </Paper>
        <Text c="dimmed" size="sm" ta="center" mt="md">
          {say.help}
        </Text>
      </main>
    </div>
  );
}

function SignInForm() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { signIn } = useSessionKeeper();
  const form = useRef<HTMLFormElement>(null);
  const [missing, setMissing] = useState({ username: false, password: false });
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isRunning, setRunning] = useState(false);
  const waitSeconds = useSecondsUntil(failure?.kind === 'throttled' ? failure.untilMs : 0);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Read from the form, because a password manager may fill it in without an event that React sees.
    const fields = new FormData(event.currentTarget);
    const username = String(fields.get('username')).trim();
    const password = String(fields.get('password'));
    setMissing({ username: username === '', password: password === '' });
    if (username === '' || password === '') {
      focusField(form.current, username === '' ? 'username' : 'password');
      return;
    }

    setRunning(true);
    setFailure(null);
    try {
      const outcome = await signIn(username, password);
      if (outcome.kind === 'refused') setFailure({ kind: 'refused' });
      if (outcome.kind === 'throttled')
        setFailure({ kind: 'throttled', untilMs: Date.now() + outcome.retry_after_s * 1000 });
      if (outcome.kind !== 'signed_in') focusField(form.current, 'password');
    } catch (error) {
      setFailure({ kind: 'error', error: error as AskError });
    }
    setRunning(false);
  };
  const failureText = failure && formatFailure(failure, waitSeconds, say, shared.errorKind);

  return (
    <form ref={form} onSubmit={submit} noValidate method="post">
      <Stack gap="md">
        <TextInput
          name="username"
          size="sm"
          label={say.username}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={64}
          autoFocus
          error={missing.username && <span role="alert">{say.usernameMissing}</span>}
        />
        <PasswordField error={missing.password ? say.passwordMissing : failureText} />
        <Button type="submit" size="sm" fullWidth loading={isRunning} disabled={waitSeconds > 0}>
          {say.submit}
        </Button>
      </Stack>
    </form>
  );
}

function PasswordField({ error }: { error: string | null }) {
  const say = useWords(words);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <>
      <PasswordInput
        name="password"
        size="sm"
        label={say.password}
        autoComplete="current-password"
        maxLength={256}
        visibilityToggleButtonProps={{ 'aria-label': say.showPassword, tabIndex: 0 }}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={() => setCapsLock(false)}
        error={error && <span role="alert">{error}</span>}
      />
      <div role="status" className={classes.capsLock}>
        {capsLock && (
          <>
            <IconAlertTriangle size={14} aria-hidden />
            {say.capsLock}
          </>
        )}
      </div>
    </>
  );
}

function formatFailure(
  failure: Failure,
  waitSeconds: number,
  say: { refused: string; throttled(seconds: number): string },
  kinds: Record<AskError['kind'], string>,
): string | null {
  switch (failure.kind) {
    case 'refused':
      return say.refused;
    case 'throttled':
      return waitSeconds > 0 ? say.throttled(waitSeconds) : null;
    case 'error':
      return formatError(failure.error, kinds);
    default:
      return failure satisfies never;
  }
}

function useSecondsUntil(untilMs: number): number {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (untilMs <= Date.now()) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  return Math.max(0, Math.ceil((untilMs - Date.now()) / 1000));
}

function focusField(form: HTMLFormElement | null, name: 'username' | 'password'): void {
  form?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus();
}
