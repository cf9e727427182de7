import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { SecondFactorState, secondFactorState } from '../../../contract/console/second-factor.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { Time } from '../../kit/time.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { Enrolment } from './enrolment.tsx';
import { RemoveForm } from './remove-form.tsx';
import { words } from './words.ts';

const fewCodes = 3;

/** The operator's own one-time codes: set up, set up again, turn off. */
export function SecondFactor() {
  const say = useWords(words);
  const asked = useAsk<typeof secondFactorState>('/second-factor/state', {}, { topics: ['audit'] });
  return (
    <Section title={say.title}>
      <AskedContent asked={asked} lines={2}>
        {(state) => <OwnCodes state={state} />}
      </AskedContent>
    </Section>
  );
}

function OwnCodes({ state }: { state: SecondFactorState }) {
  const say = useWords(words);
  const [open, setOpen] = useState<'enrolment' | 'removal' | null>(null);
  const isEnrolled = state.enrolled_at !== null;
  const close = () => setOpen(null);
  if (!state.is_offered) return <Text size="sm">{say.external}</Text>;
  if (open === 'enrolment') return <Enrolment isEnrolled={isEnrolled} onCancel={close} onDone={close} />;
  if (open === 'removal') return <RemoveForm onClose={close} />;
  return (
    <Stack gap="md">
      {state.enrolled_at === null ? (
        <Text size="sm">{say.off}</Text>
      ) : (
        <Facts
          facts={[
            { label: say.onSince, value: <Time at={state.enrolled_at} /> },
            { label: say.codesLeft, value: formatNumber(state.recovery_codes_left) },
          ]}
        />
      )}
      {isEnrolled && state.recovery_codes_left < fewCodes && (
        <Alert color="yellow" p="sm">
          {say.fewCodes}
        </Alert>
      )}
      <Group>
        <Button variant={isEnrolled ? 'default' : 'filled'} onClick={() => setOpen('enrolment')}>
          {isEnrolled ? say.replace : say.setUp}
        </Button>
        {isEnrolled && !state.is_required && (
          <Button variant="default" onClick={() => setOpen('removal')}>
            {say.remove}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
