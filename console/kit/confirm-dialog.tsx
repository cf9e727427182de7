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
  /** Describes the effect and whether it can be undone. */
  children: ReactNode;
  /** A verb: "Cancel order". */
  confirmLabel: string;
  danger?: boolean;
  /** Asks for a reason. With `required`, the operator cannot confirm without one. */
  reason?: 'required' | 'optional';
  isRunning?: boolean;
  /** Gets the trimmed reason, or '' if none was asked for. The caller closes the dialog. */
  onConfirm(reason: string): void;
}

const reasonMaxLength = 500;

/** Asks before a change is made. Enter confirms, Escape closes. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <ConfirmForm {...props} />
    </Modal>
  );
}

/** A separate component, so that its state is reset each time the dialog opens. */
function ConfirmForm({
  onClose,
  children,
  confirmLabel,
  danger = false,
  reason,
  isRunning = false,
  onConfirm,
}: ConfirmDialogProps) {
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
          <ReasonField
            isRequired={reason === 'required'}
            value={text}
            error={isMissing && text.trim() === '' ? say.reasonMissing : null}
            onChange={setText}
            onSubmit={submit}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {shared.verb.close}
          </Button>
          <Button
            type="submit"
            color={danger ? 'red.8' : 'sea'}
            loading={isRunning}
            {...(reason ? {} : { 'data-autofocus': true })}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ReasonFieldProps {
  isRequired: boolean;
  value: string;
  error: string | null;
  onChange(value: string): void;
  onSubmit(event: FormEvent): void;
}

function ReasonField({ isRequired, value, error, onChange, onSubmit }: ReasonFieldProps) {
  const shared = useWords(sharedWords);
  return (
    <Textarea
      data-autofocus
      label={isRequired ? shared.noun.reason : `${shared.noun.reason} (${shared.optional})`}
      required={isRequired}
      withAsterisk={isRequired}
      aria-required={isRequired}
      maxLength={reasonMaxLength}
      autosize
      minRows={2}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) onSubmit(event);
      }}
    />
  );
}
