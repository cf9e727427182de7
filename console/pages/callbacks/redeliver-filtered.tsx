import { Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { callbackRedeliverCount, callbackRedeliverFiltered } from '../../../contract/console/callback-redeliver.ts';
import type { Option } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import type { CallbackFilterValues, CallbackSelection } from './callback-filters.ts';
import { wordRedelivered } from './callback-words.ts';
import { words } from './words.ts';

const filteredMax = 10_000;

type Step =
  | { kind: 'counting' }
  /** `changed`: it was another number when it was confirmed. */
  | { kind: 'counted'; count: number; changed: boolean }
  | { kind: 'too_many' }
  | { kind: 'sending'; done: number; all: number };

interface RedeliverFilteredProps {
  selection: CallbackSelection;
  filters: CallbackFilterValues;
  labels: Record<keyof CallbackFilterValues, string>;
  options: Partial<Record<keyof CallbackFilterValues, Option[]>>;
}

/** Counts what fits, names it, and sends it again if it is still as many. */
export function RedeliverFiltered({ selection, filters, labels, options }: RedeliverFilteredProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const [step, setStep] = useState<Step | null>(null);
  const count = useChange<typeof callbackRedeliverCount>('/callbacks/redeliver-count');
  const redeliver = useChange<typeof callbackRedeliverFiltered>('/callbacks/redeliver-filtered');
  const isSending = step?.kind === 'sending';

  const open = async () => {
    setStep({ kind: 'counting' });
    const answer = await count.run(selection);
    if (answer === undefined) setStep(null);
    else setStep(answer.kind === 'counted' ? { kind: 'counted', count: answer.count, changed: false } : { kind: 'too_many' });
  };
  const send = async (all: number) => {
    const counts = { count: 0, held: 0, behind: 0 };
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
      for (const name of ['count', 'held', 'behind'] as const) counts[name] += answer[name];
      cursor = answer.next_cursor;
    } while (cursor !== null);
    setStep(null);
    notices.done(wordRedelivered(counts, say));
  };

  return (
    <>
      <Button variant="default" onClick={() => void open()}>
        {say.redeliverFiltered}
      </Button>
      <Modal
        opened={step !== null}
        onClose={() => setStep(null)}
        title={say.filteredQuestion}
        closeOnEscape={!isSending}
        closeOnClickOutside={false}
        withCloseButton={!isSending}
        closeButtonProps={{ 'aria-label': shared.verb.close }}
      >
        <Stack gap="md">
          {step?.kind === 'counting' && <Text size="sm">{say.counting}</Text>}
          {step?.kind === 'too_many' && <Text size="sm">{say.filteredTooMany(formatNumber(filteredMax))}</Text>}
          {step?.kind === 'counted' && (
            <Text component="div" size="sm">
              {step.changed && (
                <Text size="sm" c="red" mb="xs" role="alert">
                  {say.filteredChanged(formatNumber(step.count))}
                </Text>
              )}
              {step.count === 0 ? say.filteredNone : <strong>{say.filteredCount(formatNumber(step.count))}</strong>}
              {step.count > 0 && (
                <>
                  <List size="sm" my="xs">
                    {wordFilters(filters, labels, options).map((text) => (
                      <List.Item key={text}>{text}</List.Item>
                    ))}
                  </List>
                  {say.redeliverSelectedEffect}
                </>
              )}
            </Text>
          )}
          {step?.kind === 'sending' && (
            <>
              <Text size="sm" role="status">
                {say.filteredProgress(formatNumber(step.done), formatNumber(step.all))}
              </Text>
              <Progress value={(100 * step.done) / step.all} aria-label={say.filteredQuestion} />
            </>
          )}
          {!isSending && (
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => setStep(null)}>
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

/** The filters as a person reads them, so that one sees what is about to be sent. */
function wordFilters(
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
    ...(created.from === null && created.to === null ? [] : [`${labels.created}: ${created.from ?? ''} – ${created.to ?? ''}`]),
  ];
}
