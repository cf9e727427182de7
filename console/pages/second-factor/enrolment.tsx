import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { secondFactorBegin, secondFactorConfirm } from '../../../contract/console/second-factor.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { ProofForm, type ProofMistakes } from './proof-form.tsx';
import { QrCode } from './qr-code.tsx';
import { words } from './words.ts';

interface Begun {
  secret: string;
  uri: string;
  ticket: string;
}

interface EnrolmentProps {
  isEnrolled: boolean;
  onDone(): void;
  /** Absent where the operator has to finish it. */
  onCancel?: () => void;
}

/** Three steps: prove who you are, scan and confirm, store the recovery codes. */
export function Enrolment({ isEnrolled, onDone, onCancel }: EnrolmentProps) {
  const say = useWords(words);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [mistakes, setMistakes] = useState<ProofMistakes>({});
  const begin = useChange<typeof secondFactorBegin>('/second-factor/begin', {
    onAnswer: (answer) => {
      switch (answer.kind) {
        case 'begun':
          return setBegun(answer);
        case 'wrong_password':
          return setMistakes({ password: say.mistake.wrongPassword });
        case 'wrong_code':
          return setMistakes({ code: say.mistake.wrongCode });
        case 'too_many_codes':
          return setMistakes({ code: say.mistake.tooManyCodes(formatNumber(Math.ceil(answer.retry_after_s / 3600))) });
        case 'throttled':
          return setMistakes({ password: say.mistake.throttled(formatNumber(answer.retry_after_s)) });
        default:
          return answer satisfies never;
      }
    },
  });
  const startAgain = () => {
    setBegun(null);
    setMistakes({ password: say.mistake.expired });
  };
  if (codes !== null) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (begun !== null)
    return <ConfirmForm begun={begun} onConfirmed={setCodes} onExpired={startAgain} onCancel={onCancel} />;
  return (
    <ProofForm
      needsCode={isEnrolled}
      submitLabel={say.continue}
      isRunning={begin.isRunning}
      mistakes={mistakes}
      onSubmit={(proof) => void begin.run(proof)}
      onCancel={onCancel}
    />
  );
}

interface ConfirmFormProps {
  begun: Begun;
  onConfirmed(recoveryCodes: string[]): void;
  onExpired(): void;
  onCancel: (() => void) | undefined;
}

function ConfirmForm({ begun, onConfirmed, onExpired, onCancel }: ConfirmFormProps) {
  const say = useWords(words);
  const notices = useNotices();
  const [code, setCode] = useState('');
  const [mistake, setMistake] = useState<string | null>(null);
  const confirm = useChange<typeof secondFactorConfirm>('/second-factor/confirm', {
    onAnswer: (answer) => {
      switch (answer.kind) {
        case 'confirmed':
          notices.done(say.confirmed(formatNumber(answer.sessions_ended)));
          return onConfirmed(answer.recovery_codes);
        case 'wrong_code':
          return setMistake(say.mistake.wrongCode);
        case 'expired':
          return onExpired();
        case 'throttled':
          return setMistake(say.mistake.throttled(formatNumber(answer.retry_after_s)));
        default:
          return answer satisfies never;
      }
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const digits = code.replaceAll(/\s/g, '');
    if (digits === '') setMistake(say.mistake.missing);
    else if (!confirm.isRunning) void confirm.run({ ticket: begun.ticket, code: digits });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md" maw={360}>
        <KeyToScan begun={begun} />
        <TextInput
          label={say.newCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          maxLength={16}
          value={code}
          error={mistake && <span role="alert">{mistake}</span>}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={confirm.isRunning}>
            {say.confirm}
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

function KeyToScan({ begun: { uri, secret } }: { begun: Begun }) {
  const say = useWords(words);
  return (
    <>
      <Text size="sm">{say.scan}</Text>
      <QrCode text={uri} label={say.qrLabel} />
      <div>
        <Text size="sm" fw={500}>
          {say.secret}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret.match(/.{4}/g)!.join(' ')}</Code>
          <CopyButton value={secret} label={say.secret} />
        </Group>
      </div>
    </>
  );
}

function RecoveryCodes({ codes, onStored }: { codes: string[]; onStored(): void }) {
  const say = useWords(words);
  return (
    <Stack gap="md" maw={420}>
      <Text fw={600}>{say.codesTitle}</Text>
      <Text size="sm">{say.codesHint}</Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block style={{ flex: 1 }}>
          {codes.join('\n')}
        </Code>
        <CopyButton value={codes.join('\n')} label={say.codesCopy} />
      </Group>
      <Group>
        <Button onClick={onStored} autoFocus>
          {say.codesStored}
        </Button>
      </Group>
    </Stack>
  );
}
