import { Alert, Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconLogin2 } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import type { OidcProblem, SignInOptions, sessionOptions } from '../../../contract/console/sessions.ts';
import { ask } from '../../kit/ask.ts';
import type { AskError } from '../../kit/ask-error.ts';
import { basePath } from '../../kit/base-path.ts';
import { ErrorState } from '../../kit/error-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { safeReturnPath } from '../../kit/return-path.ts';
import { useSessionKeeper } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { CodeForm } from './code-form.tsx';
import { type Failure, failureOf, formatFailure, useSecondsUntil } from './failure.ts';
import classes from './sign-in.module.css';
import { SignInFrame } from './sign-in-frame.tsx';
import { words } from './words.ts';

/** If the options cannot be read, the password is offered: it needs nothing but this service. */
const onlyPasswords: SignInOptions = { kind: 'options', oidc_name: null, passwords: true };

export function Component() {
  const { state, look } = useSessionKeeper();
  const [parameters] = useSearchParams();
  const say = useWords(words);
  const [options, setOptions] = useState<SignInOptions | null>(null);
  useEffect(() => {
    ask<typeof sessionOptions>('/session/options', {}).then(setOptions, () => setOptions(onlyPasswords));
  }, []);

  if (state.kind === 'unknown') return null;
  if (state.kind === 'unreachable') return <ErrorState error={state.error} onRetry={look} />;
  if (state.kind === 'signed_in') return <Navigate to={safeReturnPath(parameters.get('return'))} replace />;
  return (
    <SignInFrame title={say.title} help={say.help}>
      {options !== null && <SignInWays options={options} />}
    </SignInFrame>
  );
}

function SignInWays({ options }: { options: SignInOptions }) {
  const say = useWords(words);
  const [parameters] = useSearchParams();
  const [ticket, setTicket] = useState<string | null>(null);
  const [isExpired, setExpired] = useState(false);
  const [showsPassword, setShowsPassword] = useState(options.passwords);
  const problem = isExpired ? 'expired' : parameters.get('problem');
  if (ticket !== null) {
    const startAgain = () => {
      setTicket(null);
      setExpired(true);
    };
    return <CodeForm ticket={ticket} onExpired={startAgain} onBack={() => setTicket(null)} />;
  }
  return (
    <Stack gap="md">
      {problem !== null && (
        <Alert color="red" role="alert" p="sm">
          {say.problem[problem as OidcProblem] ?? say.problem.refused}
        </Alert>
      )}
      {options.oidc_name !== null && (
        <Button
          component="a"
          size="sm"
          fullWidth
          variant={showsPassword ? 'default' : 'filled'}
          leftSection={<IconLogin2 size={16} />}
          href={`${basePath}/api/oidc/start?return=${encodeURIComponent(safeReturnPath(parameters.get('return')))}`}
        >
          {say.signInWith(options.oidc_name)}
        </Button>
      )}
      {options.oidc_name !== null && showsPassword && <Divider label={options.passwords ? say.or : say.emergency} />}
      {showsPassword ? (
        <SignInForm onCodeNeeded={setTicket} />
      ) : (
        <Anchor component="button" type="button" size="sm" onClick={() => setShowsPassword(true)}>
          {say.emergency}
        </Anchor>
      )}
    </Stack>
  );
}

function SignInForm({ onCodeNeeded }: { onCodeNeeded(ticket: string): void }) {
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
      if (outcome.kind === 'code_needed') return onCodeNeeded(outcome.ticket);
      setFailure(failureOf(outcome));
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

function focusField(form: HTMLFormElement | null, name: 'username' | 'password'): void {
  form?.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus();
}
