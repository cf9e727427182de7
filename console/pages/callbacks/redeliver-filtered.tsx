import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { callbackRedeliverCount, callbackRedeliverFiltered } from '../../../contract/console/callbacks.ts';
import type { Option } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import type { CallbackFilterValues, CallbackSelection } from './callback-filters.ts';
import { formatRedelivered } from './callback-words.ts';
import { words } from './words.ts';

const filteredMax = 10_000;

type Step =
  | { kind: 'counting' }
  /** `changed`: the count differs from the one that the operator confirmed. */
  | { kind: 'counted'; count: number; changed: boolean }
  | { kind: 'too_many' }
  | { kind: 'sending'; done: number; all: number };

interface RedeliverFilteredProps {
  selection: CallbackSelection;
  filters: CallbackFilterValues;
  labels: Record<keyof CallbackFilterValues, string>;
  options: Partial<Record<keyof CallbackFilterValues, Option[]>>;
}

/** Counts the matching callbacks and sends them again if their number has not changed. */
export function RedeliverFiltered(props: RedeliverFilteredProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { step, open, send, close } = useRedelivery(props.selection);
  const isSending = step?.kind === 'sending';
  return (
    <>
      <Button variant="default" onClick={() => void open()}>
        {say.redeliverFiltered}
      </Button>
      <Modal
        opened={step !== null}
        onClose={close}
        title={say.filteredQuestion}
        closeOnEscape={!isSending}
        closeOnClickOutside={false}
        withCloseButton={!isSending}
        closeButtonProps={{ 'aria-label': shared.verb.close }}
      >
        <Stack gap="md">
          {step && <StepText {...props} step={step} />}
          {!isSending && (
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                {shared.verb.close}
              </Button>
              {step?.kind === 'counted' && step.count > 0 && (
                <Button data-autofocus onClick={() => void send(step.count)}>
                  {say.redeliverSelected(formatNumber(step.count))}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </Modal>
    </>
  );
}

function useRedelivery(selection: CallbackSelection) {
  const say = useWords(words);
  const notices = useNotices();
  const [step, setStep] = useState<Step | null>(null);
  const count = useChange<typeof callbackRedeliverCount>('/callbacks/redeliver-count');
  const redeliver = useChange<typeof callbackRedeliverFiltered>('/callbacks/redeliver-filtered');

  const open = async () => {
    setStep({ kind: 'counting' });
    const answer = await count.run(selection);
    if (answer === undefined) setStep(null);
    else if (answer.kind === 'counted') setStep({ kind: 'counted', count: answer.count, changed: false });
    else setStep({ kind: 'too_many' });
  };
  const send = async (all: number) => {
    const counts = { count: 0, held: 0, behind: 0, erased: 0 };
    let cursor: string | null = null;
    do {
      setStep({ kind: 'sending', done: counts.count, all });
      const answer: Awaited<ReturnType<typeof redeliver.run>> = await redeliver.run({
        ...selection,
        expected_count: all,
        ...(cursor !== null && { cursor }),
      });
      if (answer === undefined) return setStep(null);
      if (answer.kind === 'too_many') return setStep({ kind: 'too_many' });
      if (answer.kind === 'count_changed') return setStep({ kind: 'counted', count: answer.count, changed: true });
      for (const name of ['count', 'held', 'behind', 'erased'] as const) counts[name] += answer[name];
      cursor = answer.next_cursor;
    } while (cursor !== null);
    setStep(null);
    notices.done(formatRedelivered(counts, say));
  };
  return { step, open, send, close: () => setStep(null) };
}

function StepText({ step, ...props }: RedeliverFilteredProps & { step: Step }) {
  const say = useWords(words);
  if (step.kind === 'counting') return <Text size="sm">{say.counting}</Text>;
  if (step.kind === 'too_many') return <Text size="sm">{say.filteredTooMany(formatNumber(filteredMax))}</Text>;
  if (step.kind === 'counted') return <CountedText {...props} count={step.count} changed={step.changed} />;
  return (
    <>
      <Text size="sm" role="status">
        {say.filteredProgress(formatNumber(step.done), formatNumber(step.all))}
      </Text>
      <Progress value={(100 * step.done) / step.all} aria-label={say.filteredQuestion} />
    </>
  );
}

function CountedText(props: RedeliverFilteredProps & { count: number; changed: boolean }) {
  const { count, changed, filters, labels, options } = props;
  const say = useWords(words);
  return (
    <Text component="div" size="sm">
      {changed && (
        <Text size="sm" c="red" mb="xs" role="alert">
          {say.filteredChanged(formatNumber(count))}
        </Text>
      )}
      {count === 0 ? say.filteredNone : <strong>{say.filteredCount(formatNumber(count))}</strong>}
      {count > 0 && (
        <>
          <List size="sm" my="xs">
            {formatFilters(filters, labels, options).map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
          {say.redeliverSelectedEffect}
        </>
      )}
    </Text>
  );
}

/** The filters as text, for the confirmation. */
function formatFilters(
  { number, status, event, accounts, receiver, created }: CallbackFilterValues,
  labels: RedeliverFilteredProps['labels'],
  options: RedeliverFilteredProps['options'],
): string[] {
  const labelOf = (name: keyof CallbackFilterValues, value: string) =>
    options[name]?.find((option) => option.value === value)?.label ?? value;
  const many = { status, event, accounts } as const;
  return [
    ...(number === '' ? [] : [`${labels.number}: ${number}`]),
    ...(['status', 'event', 'accounts'] as const)
      .filter((name) => many[name].length > 0)
      .map((name) => `${labels[name]}: ${many[name].map((value) => labelOf(name, value)).join(', ')}`),
    ...(receiver === '' ? [] : [`${labels.receiver}: ${labelOf('receiver', receiver)}`]),
    ...(created.from === null && created.to === null
      ? []
      : [`${labels.created}: ${created.from ?? ''} – ${created.to ?? ''}`]),
  ];
}
