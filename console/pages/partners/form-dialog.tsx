import { Alert, Button, Group, Modal, type SelectProps, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { ChangedPartner, CreatedPartner, IssuedSecret, PartnerRefused } from '../../../contract/console/partner-values.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import type { FieldCheck, FieldMistake } from './field-checks.ts';
import { words } from './words.ts';

/** The texts of a form, each with its check; mistakes show once one has tried to send it. */
export interface FormFields<Name extends string> {
  values: Record<Name, string>;
  /** What a text field needs. */
  text(name: Name): Pick<TextInputProps, 'value' | 'onChange' | 'error'>;
  /** What a select needs. */
  pick(name: Name): PickedField;
  /** Whether all fields are right; from now on mistakes show. */
  check(): boolean;
}

export type PickedField = Pick<SelectProps, 'value' | 'onChange' | 'error'>;

export function useFormFields<Name extends string>(
  first: Record<Name, string>,
  checks: Partial<Record<Name, FieldCheck>>,
): FormFields<Name> {
  const say = useWords(words);
  const [values, setValues] = useState(first);
  const [isTried, setTried] = useState(false);
  const mistake = (name: Name): FieldMistake | null => checks[name]?.(values[name].trim()) ?? null;
  const mistakeOf = (name: Name) => {
    const found = isTried ? mistake(name) : null;
    return found && say.mistake[found];
  };
  const set = (name: Name, value: string) => setValues((before) => ({ ...before, [name]: value }));
  return {
    values: Object.fromEntries(Object.entries<string>(values).map(([name, value]) => [name, value.trim()])) as Record<Name, string>,
    text: (name) => ({ value: values[name], onChange: (event) => set(name, event.currentTarget.value), error: mistakeOf(name) }),
    pick: (name) => ({ value: values[name] || null, onChange: (picked) => set(name, picked ?? ''), error: mistakeOf(name) }),
    check() {
      setTried(true);
      return (Object.keys(values) as Name[]).every((name) => mistake(name) === null);
    },
  };
}

/** What every form of a partner is given by the page. */
export interface PartnerFormProps {
  onDone(secrets: IssuedSecret[]): void;
  onClose(): void;
}

export interface FormDialogProps extends PartnerFormProps {
  title: string;
  /** Created, not changed. */
  isNew: boolean;
  /** The partner as people call it, for the notice. */
  name: string;
  /** Checks the fields. */
  check(): boolean;
  /** undefined: it failed, and was told. */
  send(): Promise<CreatedPartner | ChangedPartner | undefined>;
  children: ReactNode;
}

/** A partner is created or changed; what the server refuses is said where one can mend it. */
export function FormDialog({ title, isNew, name, check, send, onDone, onClose, children }: FormDialogProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const form = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState<PartnerRefused | null>(null);
  const [isSending, setSending] = useState(false);
  useFocusBack();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    if (!check()) {
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    setSending(true);
    const answer = await send();
    setSending(false);
    if (answer === undefined) return;
    if (answer.kind === 'refused') {
      setRefused(answer);
      return;
    }
    if (answer.kind === 'unchanged') notices.done(say.done.unchanged);
    else notices.done(answer.kind === 'created' ? say.done.created(name) : say.done.changed(name));
    onDone(answer.kind === 'unchanged' ? [] : answer.secrets);
  };

  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': shared.verb.close }}>
      <form ref={form} onSubmit={submit} noValidate autoComplete="off">
        <Stack gap="md">
          {children}
          {refused && (
            <Alert color="red" role="alert" p="sm">
              {[...new Set(refused.problems.map((problem) => wordProblem(problem, say.refusal)))].map((text) => (
                <div key={text}>{text}</div>
              ))}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {shared.verb.close}
            </Button>
            <Button type="submit" loading={isSending}>
              {isNew ? say.createVerb : shared.verb.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type RefusalWords = Record<keyof (typeof words)['en']['refusal'], string>;

export function wordProblem({ reason, field }: PartnerRefused['problems'][number], refusal: RefusalWords): string {
  if (reason !== 'unknown') return refusal[reason];
  if (field === 'account_no') return refusal.unknownAccount;
  if (field === 'warehouse_no') return refusal.unknownWarehouse;
  return field === 'store_no' ? refusal.unknownStore : refusal.unknown;
}

/** A whole number as text: the field shows what was typed, and the check says what is wrong with it. */
export function WholeNumberInput(props: TextInputProps) {
  return <TextInput inputMode="numeric" maxLength={10} {...props} />;
}
