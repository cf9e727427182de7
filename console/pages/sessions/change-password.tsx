import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../../contract/console/console-call.ts';
import type { operatorsChangeOwnPassword, PasswordWeakness } from '../../../contract/console/operators.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useSession, useSessionKeeper } from '../../kit/session.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

const passwordLengthMin = 12;
const nothing = { old: '', chosen: '', again: '' };
type Field = keyof typeof nothing;
type Mistakes = Partial<Record<Field, string>>;

export function ChangePassword() {
  const say = useWords(words);
  const notices = useNotices();
  const { username } = useSession();
  const { refresh } = useSessionKeeper();
  const [values, setValues] = useState(nothing);
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const change = useChange<typeof operatorsChangeOwnPassword>('/operators/change-own-password', {
    onAnswer: (answer) => {
      if (answer.kind !== 'changed') return setMistakes(mistakesOf(answer, say.mistake));
      setValues(nothing);
      setMistakes({});
      refresh();
      notices.done(say.passwordChanged(formatNumber(answer.sessions_ended)));
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = mistakesIn(values, say.mistake);
    setMistakes(found);
    if (Object.keys(found).length === 0 && !change.isRunning)
      void change.run({ old_password: values.old, new_password: values.chosen });
  };
  const field = (name: Field) => ({
    value: values[name],
    maxLength: 256,
    error: mistakes[name] ? <span role="alert">{mistakes[name]}</span> : null,
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
    visibilityToggleButtonProps: { 'aria-label': say.showPassword, tabIndex: 0 },
  });
  return (
    <Section title={say.password}>
      <form onSubmit={submit} noValidate method="post">
        <Stack gap="md" maw={360}>
          <Text size="sm" c="dimmed">
            {say.passwordHint}
          </Text>
          <input type="text" name="username" value={username} readOnly hidden autoComplete="username" />
          <PasswordInput label={say.oldPassword} autoComplete="current-password" {...field('old')} />
          <PasswordInput
            label={say.newPassword}
            description={say.newPasswordHint}
            autoComplete="new-password"
            {...field('chosen')}
          />
          <PasswordInput label={say.newPasswordAgain} autoComplete="new-password" {...field('again')} />
          <Group>
            <Button type="submit" loading={change.isRunning}>
              {say.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

type Refusal = Exclude<AnswerOf<typeof operatorsChangeOwnPassword>, { kind: 'changed' }>;
type MistakeTexts = Record<PasswordWeakness | 'wrong' | 'same', string> & { throttled(seconds: string): string };

function mistakesOf(answer: Refusal, say: MistakeTexts): Mistakes {
  switch (answer.kind) {
    case 'wrong_password':
      return { old: say.wrong };
    case 'same_password':
      return { chosen: say.same };
    case 'weak_password':
      return { chosen: say[answer.weakness] };
    case 'throttled':
      return { old: say.throttled(formatNumber(answer.retry_after_s)) };
    default:
      return answer satisfies never;
  }
}

function mistakesIn(
  { old, chosen, again }: typeof nothing,
  say: { missing: string; short: string; different: string },
): Mistakes {
  return {
    ...(old === '' && { old: say.missing }),
    ...(chosen.length < passwordLengthMin && { chosen: chosen === '' ? say.missing : say.short }),
    ...(again !== chosen && { again: say.different }),
  };
}
