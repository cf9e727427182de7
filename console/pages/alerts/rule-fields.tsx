import {
  Checkbox,
  Group,
  Input,
  MultiSelect,
  Radio,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import type { AlertRules } from '../../../contract/console/alerts.ts';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import type { DraftMistakes, RuleDraft } from './rule-values.ts';
import { words } from './words.ts';

const examples = { email: 'ops@mail.example', webhook: 'https://chat.example/hooks/lading' };

interface FieldsProps {
  draft: RuleDraft;
  set(changes: Partial<RuleDraft>): void;
  mistakes: DraftMistakes;
}

export function ChannelFields({ draft, set, mistakes, hasMail }: FieldsProps & { hasMail: boolean }) {
  const say = useWords(words);
  return (
    <>
      <TagsInput
        label={say.emails}
        description={hasMail ? say.emailsHint : say.noMail}
        placeholder={draft.emails.length === 0 ? examples.email : ''}
        maxTags={20}
        splitChars={[',', ';', ' ']}
        clearable={false}
        value={draft.emails}
        error={mistakes.emails && say.mistake[mistakes.emails]}
        onChange={(emails) => set({ emails: emails.map((email) => email.trim()) })}
      />
      <TextInput
        label={say.webhook}
        description={say.webhookHint}
        placeholder={examples.webhook}
        maxLength={2048}
        spellCheck={false}
        value={draft.webhookUrl}
        error={mistakes.webhookUrl && say.mistake[mistakes.webhookUrl]}
        onChange={(event) => set({ webhookUrl: event.currentTarget.value })}
      />
      <Radio.Group
        label={say.language}
        value={draft.language}
        onChange={(language) => set({ language: language as RuleDraft['language'] })}
      >
        <Group gap="md" mt="xs">
          <Radio size="xs" value="zh-TW" label={say.chinese} />
          <Radio size="xs" value="en" label={say.english} />
        </Group>
      </Radio.Group>
    </>
  );
}

export function ConditionFields({ draft, set, known }: FieldsProps & { known: AlertRules }) {
  const say = useWords(words);
  const accounts = useAccountOptions() ?? [];
  const warehouses = useWarehouseOptions() ?? [];
  const isPossible = (kind: string) =>
    (draft.accounts.length === 0 || (known.kinds_of_accounts as string[]).includes(kind)) &&
    (draft.warehouses.length === 0 || (known.kinds_of_warehouses as string[]).includes(kind));
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <MultiSelect
          label={say.accounts}
          placeholder={draft.accounts.length === 0 ? say.allAccounts : ''}
          searchable
          maxValues={50}
          data={accounts}
          value={draft.accounts}
          onChange={(chosen) => set({ accounts: chosen })}
        />
        <MultiSelect
          label={say.warehouses}
          placeholder={draft.warehouses.length === 0 ? say.allWarehouses : ''}
          searchable
          maxValues={50}
          data={warehouses}
          value={draft.warehouses}
          onChange={(chosen) => set({ warehouses: chosen })}
        />
      </SimpleGrid>
      <MultiSelect
        label={say.kindsLabel}
        description={draft.accounts.length + draft.warehouses.length > 0 ? say.scopeHint : say.kindsHint}
        placeholder={draft.kinds.length === 0 ? say.allConditions : ''}
        searchable
        data={Object.entries(say.kind)
          .filter(([kind]) => isPossible(kind) || draft.kinds.includes(kind))
          .map(([value, label]) => ({ value, label }))}
        value={draft.kinds}
        onChange={(kinds) => set({ kinds })}
      />
    </>
  );
}

export function ThresholdFields({ draft, set, mistakes }: FieldsProps) {
  const say = useWords(words);
  const number = (field: 'minCount' | 'minMinutes' | 'repeatHours', label: string): TextInputProps => ({
    label,
    inputMode: 'numeric',
    maxLength: 6,
    required: true,
    value: draft[field],
    error: mistakes[field] && say.mistake[mistakes[field]],
    onChange: (event) => set({ [field]: event.currentTarget.value }),
  });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput {...number('minCount', say.minCount)} />
        <TextInput {...number('minMinutes', say.minMinutes)} />
        <TextInput {...number('repeatHours', say.repeatHours)} description={say.repeatHint} inputWrapperOrder={order} />
      </SimpleGrid>
      <Checkbox
        label={say.notifyResolved}
        checked={draft.notifyResolved}
        onChange={(event) => set({ notifyResolved: event.currentTarget.checked })}
      />
    </>
  );
}

/** Fields in a row stay level if the hint is below. */
const order: NonNullable<TextInputProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error'];

const days = [1, 2, 3, 4, 5, 6, 7] as const;

export function QuietFields({ draft, set, mistakes }: FieldsProps) {
  const say = useWords(words);
  const time = (field: 'from' | 'to', label: string): TextInputProps => ({
    label,
    placeholder: '22:00',
    maxLength: 5,
    value: draft[field],
    error: mistakes[field] && say.mistake[mistakes[field]],
    onChange: (event) => set({ [field]: event.currentTarget.value }),
  });
  return (
    <Stack gap="sm">
      <Checkbox
        label={say.quiet}
        description={say.quietHint}
        checked={draft.isQuiet}
        onChange={(event) => set({ isQuiet: event.currentTarget.checked })}
      />
      {draft.isQuiet && (
        <>
          <SimpleGrid cols={2}>
            <TextInput {...time('from', say.from)} />
            <TextInput {...time('to', say.to)} />
          </SimpleGrid>
          <Checkbox.Group label={say.days} value={draft.days} onChange={(chosen) => set({ days: chosen })}>
            <Group gap="md" mt="xs">
              {days.map((day) => (
                <Checkbox key={day} value={String(day)} label={say.day[day]} />
              ))}
            </Group>
          </Checkbox.Group>
          {mistakes.days && <Input.Error role="alert">{say.mistake[mistakes.days]}</Input.Error>}
          <Checkbox
            label={say.urgent}
            checked={draft.urgentIgnoresQuiet}
            onChange={(event) => set({ urgentIgnoresQuiet: event.currentTarget.checked })}
          />
        </>
      )}
    </Stack>
  );
}
