import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useFocusBack } from './focus-back.ts';
import { useWords } from './language.tsx';
import { sharedWords } from './shared-words.ts';
import { words } from './words.ts';

export interface ConfirmDialogProps {
  opened: boolean;
  onClose(): void;
  /** The question: "Cancel order LAD-1?". */
  title: string;
  /** What will change, by name, and whether it can be undone. */
  children: ReactNode;
  /** The verb: "Cancel order". */
  confirmLabel: string;
  danger?: boolean;
  /** Asks for a reason; `required` does not go on without one. */
  reason?: 'required' | 'optional';
  isRunning?: boolean;
  /** With the reason, trimmed, or '' if none was asked for. Close it yourself when it is done. */
  onConfirm(reason: string): void;
}

const reasonMaxLength = 500;

/** Asks before something is changed. Enter confirms, Escape leaves. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const shared = useWords(sharedWords);
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} closeButtonProps={{ 'aria-label': shared.verb.close }}>
      <ConfirmForm {...props} />
    </Modal>
  );
}

/** Apart, so that it begins anew with each opening. */
function ConfirmForm({ onClose, children, confirmLabel, danger = false, reason, isRunning = false, onConfirm }: ConfirmDialogProps) {
  const shared = useWords(sharedWords);
  const say = useWords(words);
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const bodyId = useId();
  useFocusBack();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) return;
    if (reason === 'required' && text.trim() === '') setMissing(true);
    else onConfirm(text.trim());
  };

  return (
    <form onSubmit={submit} noValidate aria-describedby={bodyId}>
      <Stack gap="md">
        <Text component="div" size="sm" id={bodyId}>
          {children}
        </Text>
        {reason && (
          <Textarea
            data-autofocus
            label={reason === 'required' ? shared.noun.reason : `${shared.noun.reason} (${shared.optional})`}
            required={reason === 'required'}
            withAsterisk={reason === 'required'}
            aria-required={reason === 'required'}
            maxLength={reasonMaxLength}
            autosize
            minRows={2}
            value={text}
            error={isMissing && text.trim() === '' ? say.reasonMissing : null}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
            }}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {shared.verb.close}
          </Button>
          <Button type="submit" color={danger ? 'red.8' : 'sea'} loading={isRunning} {...(reason ? {} : { 'data-autofocus': true })}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
