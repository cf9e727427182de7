import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import type { AnswerOf, BodyOf } from '../../../contract/console/console-call.ts';
import type { CountScope, countCreate } from '../../../contract/console/counts.ts';
import type { Option } from '../../kit/filter-bar.tsx';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions, useWarehouseOptions } from '../../kit/options.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { countScopes } from './count-lot.ts';
import { words } from './words.ts';

/** Begins a count, and opens it. */
export function CreateCount({ onClose }: { onClose(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Modal opened onClose={onClose} title={say.begin} closeButtonProps={{ 'aria-label': shared.verb.close }}>
      <CountForm onClose={onClose} />
    </Modal>
  );
}

/** The limit of the call. */
const countSkusMax = 200;

interface Draft {
  account: string | null;
  warehouse: string | null;
  scope: CountScope;
  location: string;
  skus: string;
}

function CountForm({ onClose }: { onClose(): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { given, set, submit, refusal, isRunning } = useDraft();
  useFocusBack();
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Select
          data-autofocus
          openOnFocus={false}
          required
          searchable
          label={shared.noun.account}
          data={given.accounts}
          value={given.account}
          onChange={(account) => set({ account })}
        />
        <Select
          required
          label={shared.noun.warehouse}
          data={given.warehouses}
          value={given.warehouse}
          onChange={(warehouse) => set({ warehouse })}
        />
        <ScopeChoice value={given.scope} onChange={(scope) => set({ scope })} />
        <ScopeFields given={given} set={set} />
        {refusal && (
          <Text size="sm" c="red.8" role="alert">
            {refusal}
          </Text>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {shared.verb.close}
          </Button>
          <Button type="submit" loading={isRunning}>
            {say.form.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useDraft() {
  const say = useWords(words);
  const navigate = useNavigate();
  const accounts = useAccountOptions() ?? [];
  const warehouses = useWarehouseOptions() ?? [];
  // A second press after a lost response finds the count of the first.
  const [requestId] = useState(newUuid);
  const [draft, setDraft] = useState<Draft>({
    account: null,
    warehouse: null,
    scope: 'location',
    location: '',
    skus: '',
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  const create = useChange<typeof countCreate>('/counts/create', {
    onAnswer(answer) {
      if (answer.kind === 'created') void navigate(`/counts/${answer.count_id}`);
      else setRefusal(formatRefusal(answer, say));
    },
  });
  const only = (chosen: string | null, options: Option[]) =>
    chosen ?? (options.length === 1 ? options[0]!.value : null);
  const given = {
    ...draft,
    ...{ account: only(draft.account, accounts), warehouse: only(draft.warehouse, warehouses), accounts, warehouses },
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = readDraft(given, requestId);
    if (body === null) return setRefusal(say.form.missing);
    if ((body.sku_ids?.length ?? 0) > countSkusMax) return setRefusal(say.form.tooManySkus(formatNumber(countSkusMax)));
    void create.run(body);
  };
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  return { given, set, submit, refusal, isRunning: create.isRunning };
}

function ScopeChoice({ value, onChange }: { value: CountScope; onChange(scope: CountScope): void }) {
  const say = useWords(words);
  const label = useId();
  return (
    <div>
      <Text size="sm" fw={500} id={label} mb={4}>
        {say.form.scope}
      </Text>
      <SegmentedControl
        fullWidth
        aria-labelledby={label}
        value={value}
        onChange={(scope) => onChange(scope as CountScope)}
        data={countScopes.map((scope) => ({ value: scope, label: say.scope[scope] }))}
      />
    </div>
  );
}

function ScopeFields({ given, set }: { given: Draft; set(change: Partial<Draft>): void }) {
  const say = useWords(words);
  if (given.scope === 'location')
    return (
      <TextInput
        required
        label={say.form.location}
        value={given.location}
        maxLength={50}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => set({ location: event.currentTarget.value })}
      />
    );
  if (given.scope === 'warehouse') return null;
  return (
    <Textarea
      required
      autosize
      minRows={3}
      maxRows={10}
      label={say.form.skus}
      value={given.skus}
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => set({ skus: event.currentTarget.value })}
    />
  );
}

function readDraft(
  { account, warehouse, scope, location, skus }: Draft,
  request_id: string,
): BodyOf<typeof countCreate> | null {
  if (account === null || warehouse === null) return null;
  const body = { request_id, account_no: account, warehouse_no: Number(warehouse), scope };
  if (scope === 'location') return location.trim() === '' ? null : { ...body, location: location.trim() };
  if (scope === 'warehouse') return body;
  const sku_ids = [...new Set(skus.split('\n').map((line) => line.trim()))].filter((sku) => sku !== '');
  return sku_ids.length === 0 ? null : { ...body, sku_ids };
}

function formatRefusal(
  answer: Exclude<AnswerOf<typeof countCreate>, { kind: 'created' }>,
  { form: say }: (typeof words)['en'],
): string {
  switch (answer.kind) {
    case 'not_manual':
      return say.notManual;
    case 'nothing_to_count':
      return say.nothing;
    case 'unknown_skus':
      return say.unknownSkus(answer.sku_ids.join(', '));
    case 'too_many_lots':
      return say.tooManyLots(formatNumber(answer.lots_max));
    default:
      return answer satisfies never;
  }
}
