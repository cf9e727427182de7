import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  type SelectProps,
  SimpleGrid,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { type ComponentType, type FormEvent, Fragment, type ReactNode, useRef, useState } from 'react';
import type {
  ChangedPartner,
  CreatedPartner,
  IssuedSecret,
  PartnerRefused,
} from '../../../contract/console/partners.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import type { FieldCheck } from './field-checks.ts';
import { words } from './words.ts';

/** One field of a form. Numbers are kept as typed, so that the check can say what is wrong with them. */
export type FormField = (TypedField | PickedField | FlagField | OwnField<unknown>) & {
  /** Part of the partner's identity, which never changes. Only the form for a new partner shows it. */
  isName?: boolean;
  isHidden?: boolean;
};

interface TypedField extends Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'required' | 'maxLength'> {
  kind: 'text' | 'number';
  first: string;
  check?: FieldCheck;
  /** Adjacent fields with this flag share a row. */
  isInRow?: boolean;
}

export type PickProps = Pick<SelectProps, 'value' | 'onChange' | 'error'>;

interface PickedField {
  kind: 'pick';
  first: string;
  check?: FieldCheck;
  Select: ComponentType<PickProps>;
}

interface FlagField {
  kind: 'flag';
  first: boolean;
  label: string;
  description: string;
}

/** A field that only one form has. */
interface OwnField<Value> {
  kind: 'own';
  first: Value;
  render(value: Value, set: (value: Value) => void): ReactNode;
}

export function ownField<Value>(first: Value, render: OwnField<Value>['render']): OwnField<Value> {
  return { kind: 'own', first, render };
}

type Texts = Omit<TypedField, 'kind' | 'label' | 'first' | 'check'> & { isName?: boolean; isHidden?: boolean };

export function textField(label: string, first: string | undefined, check: FieldCheck, more: Texts = {}) {
  return { kind: 'text', maxLength: 200, label, first: first ?? '', check, ...more } as const;
}

export function numberField(label: string, first: number | null | undefined, check: FieldCheck, more: Texts = {}) {
  return { kind: 'number', maxLength: 10, label, first: first?.toString() ?? '', check, ...more } as const;
}

export function pickField(Select: PickedField['Select'], first: string | number | undefined, check?: FieldCheck) {
  return { kind: 'pick', Select, first: first?.toString() ?? '', ...(check && { check }) } as const;
}

type FormFields = Record<string, FormField>;
type FormValues<Fields extends FormFields> = { [Name in keyof Fields]: Fields[Name]['first'] };

export interface PartnerFormProps {
  onDone(secrets: IssuedSecret[]): void;
  onClose(): void;
}

export interface FormDialogProps<Fields extends FormFields> extends PartnerFormProps {
  title: string;
  /** The form creates a partner. */
  isNew: boolean;
  /** The partner's display name, for the notice. */
  nameOf(values: FormValues<Fields>): string;
  fields: Fields;
  /** Texts are trimmed. Resolves to undefined if the request failed; the operator has been notified. */
  send(values: FormValues<Fields>): Promise<CreatedPartner | ChangedPartner | undefined>;
}

/**
 * Creates or changes a partner. Mistakes are shown after the first attempt to send. Rejections by the server are shown
 * below the fields.
 */
export function FormDialog<Fields extends FormFields>(props: FormDialogProps<Fields>) {
  const { title, isNew, onClose } = props;
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { form, shown, input, submit, refused, isSending } = useForm(props);
  useFocusBack();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': shared.verb.close }}>
      <form ref={form} onSubmit={submit} noValidate autoComplete="off">
        <Stack gap="md">
          {rowsOf(shown).map((row) =>
            row.length === 1 ? (
              input(row[0]!)
            ) : (
              <SimpleGrid key={row[0]![0]} cols={row.length}>
                {row.map(input)}
              </SimpleGrid>
            ),
          )}
          {refused && <Problems refused={refused} />}
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

function useForm<Fields extends FormFields>({ isNew, nameOf, fields, send, onDone }: FormDialogProps<Fields>) {
  const say = useWords(words);
  const notices = useNotices();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(Object.entries(fields).map(([name, { first }]) => [name, first])),
  );
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<PartnerRefused | null>(null);
  const [isSending, setSending] = useState(false);
  const shown = Object.entries(fields).filter(([, { isName, isHidden }]) => !isHidden && (isNew || !isName));
  const mistakeOf = (name: string, field: FormField) =>
    'check' in field ? (field.check?.(String(values[name]).trim()) ?? null) : null;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending) return;
    setTried(true);
    if (shown.some(([name, field]) => mistakeOf(name, field) !== null)) {
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      return;
    }
    const given = trimmed(values) as FormValues<Fields>;
    setSending(true);
    const answer = await send(given);
    setSending(false);
    if (answer === undefined) return;
    if (answer.kind === 'refused') {
      setRefused(answer);
      return;
    }
    if (answer.kind === 'unchanged') notices.done(say.done.unchanged);
    else notices.done(answer.kind === 'created' ? say.done.created(nameOf(given)) : say.done.changed(nameOf(given)));
    onDone(answer.kind === 'unchanged' ? [] : answer.secrets);
  };
  const input = ([name, field]: [string, FormField]) => {
    const mistake = isTried ? mistakeOf(name, field) : null;
    const set = (value: unknown) => setValues((before) => ({ ...before, [name]: value }));
    return <Fragment key={name}>{inputOf(field, values[name], mistake && say.mistake[mistake], set)}</Fragment>;
  };
  return { form, shown, input, submit, refused, isSending };
}

/** Removes spaces around texts. */
function trimmed(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

function Problems({ refused }: { refused: PartnerRefused }) {
  const say = useWords(words);
  return (
    <Alert color="red" role="alert" p="sm">
      {[...new Set(refused.problems.map((problem) => formatProblem(problem, say.refusal)))].map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Alert>
  );
}

function rowsOf(fields: [string, FormField][]): [string, FormField][][] {
  const rows: [string, FormField][][] = [];
  const isInRow = (field: FormField) => 'isInRow' in field && field.isInRow;
  for (const entry of fields) {
    const last = rows.at(-1);
    if (last && isInRow(entry[1]) && isInRow(last[0]![1])) last.push(entry);
    else rows.push([entry]);
  }
  return rows;
}

function inputOf(field: FormField, value: unknown, error: string | null, set: (value: unknown) => void): ReactNode {
  switch (field.kind) {
    case 'text':
    case 'number': {
      const { kind, first: _, check: __, isInRow: ___, isHidden: ____, isName = false, ...texts } = field;
      const isRequired = isName || (texts.required ?? false);
      return (
        <TextInput
          {...(kind === 'number' && { inputMode: 'numeric' })}
          {...(kind === 'text' && isRequired && { spellCheck: false })}
          {...(isName && { 'data-autofocus': true })}
          {...texts}
          required={isRequired}
          value={value as string}
          error={error}
          onChange={(event) => set(event.currentTarget.value)}
        />
      );
    }
    case 'pick':
      return <field.Select value={(value as string) || null} onChange={(picked) => set(picked ?? '')} error={error} />;
    case 'flag':
      return (
        <Checkbox
          label={field.label}
          description={field.description}
          checked={value as boolean}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'own':
      return field.render(value, set);
    default:
      return field satisfies never;
  }
}

type RefusalWords = Record<keyof (typeof words)['en']['refusal'], string>;

export function formatProblem({ reason, field }: PartnerRefused['problems'][number], refusal: RefusalWords): string {
  if (reason !== 'unknown') return refusal[reason];
  if (field === 'account_no') return refusal.unknownAccount;
  if (field === 'warehouse_no') return refusal.unknownWarehouse;
  return field === 'store_no' ? refusal.unknownStore : refusal.unknown;
}
