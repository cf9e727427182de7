import { ActionIcon, Alert, Button, Fieldset, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { ProductChangeMistake, ProductDetail, productChange } from '../../../contract/console/products.ts';
import { useFocusBack } from '../../kit/focus-back.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import classes from './products.module.css';
import { words } from './words.ts';

const codesMax = 20;
const unitsMax = 1_000_000;

interface CodeRow {
  key: number;
  code: string;
  units: number | string;
}

interface EditLabelsProps {
  detail: ProductDetail;
  onClose(): void;
}

/** Changes the codes of a product and its locations. Rows without a code are left out. */
export function EditLabels({ detail, onClose }: EditLabelsProps) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const form = useLabelForm(detail, onClose);
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={say.editLabels(detail.product.sku_id)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <form onSubmit={form.submit} noValidate autoComplete="off">
        <Stack gap="md">
          <CodeRows rows={form.rows} onChange={form.setRows} />
          {detail.warehouses.length > 0 && (
            <Fieldset variant="unstyled" legend={say.locations}>
              <Stack gap="xs">
                {detail.warehouses.map(({ warehouse_no, name }) => (
                  <TextInput
                    key={warehouse_no}
                    label={`${warehouse_no} ${name}`.trim()}
                    placeholder={say.locationExample}
                    maxLength={50}
                    value={form.locations[warehouse_no] ?? ''}
                    onChange={(event) => form.setLocation(warehouse_no, event.currentTarget.value)}
                  />
                ))}
              </Stack>
            </Fieldset>
          )}
          {form.mistakes.length > 0 && <Mistakes mistakes={form.mistakes} />}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {shared.verb.close}
            </Button>
            <Button type="submit" loading={form.isSending}>
              {shared.verb.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useLabelForm({ product, warehouses }: ProductDetail, onSaved: () => void) {
  const say = useWords(words);
  const notices = useNotices();
  const [rows, setRows] = useState<CodeRow[]>(() =>
    product.codes.length > 0 ? product.codes.map((code, key) => ({ key, ...code })) : [{ key: 0, code: '', units: 1 }],
  );
  const [locations, setLocations] = useState<Record<number, string>>(() =>
    Object.fromEntries(product.locations.map(({ warehouse_no, location }) => [warehouse_no, location])),
  );
  const [mistakes, setMistakes] = useState<ProductChangeMistake[]>([]);
  const change = useChange<typeof productChange>('/products/change', {
    onAnswer: (answer) => {
      if (answer.kind === 'refused') return setMistakes(answer.mistakes);
      notices.done(say.labelsSaved(product.sku_id));
      onSaved();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isRunning) return;
    setMistakes([]);
    void change.run({
      product_id: product.product_id,
      codes: rows
        .map(({ code, units }) => ({ code: code.trim(), units: Number(units) || 1 }))
        .filter(({ code }) => code !== ''),
      locations: warehouses.map(({ warehouse_no }) => ({
        warehouse_no,
        location: (locations[warehouse_no] ?? '').trim(),
      })),
    });
  };
  const setLocation = (warehouseNo: number, location: string) =>
    setLocations((before) => ({ ...before, [warehouseNo]: location }));
  return { rows, setRows, locations, setLocation, mistakes, submit, isSending: change.isRunning };
}

function CodeRows({ rows, onChange }: { rows: CodeRow[]; onChange(rows: CodeRow[]): void }) {
  const say = useWords(words);
  const list = useRef<HTMLDivElement>(null);
  const set = (key: number, change: Partial<CodeRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const add = () => {
    if (rows.length >= codesMax) return;
    onChange([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, code: '', units: 1 }]);
    setTimeout(() => list.current?.querySelector<HTMLInputElement>('[data-code]:last-of-type input')?.focus());
  };
  // A scanner ends a code with Enter, which must not save the form.
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (rows.at(-1)?.code.trim() !== '') add();
  };
  return (
    <Fieldset variant="unstyled" legend={say.codes}>
      <Stack gap="xs" ref={list}>
        <Text size="xs" c="dimmed">
          {say.codesHint}
        </Text>
        {rows.map((row, place) => (
          <CodeFields
            key={row.key}
            row={row}
            place={place}
            onKeyDown={onEnter}
            onChange={(change) => set(row.key, change)}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        <Button
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= codesMax}
          onClick={add}
        >
          {say.addCode}
        </Button>
      </Stack>
    </Fieldset>
  );
}

interface CodeFieldsProps {
  row: CodeRow;
  place: number;
  onKeyDown(event: KeyboardEvent): void;
  onChange(change: Partial<CodeRow>): void;
  onRemove(): void;
}

function CodeFields({ row, place, onKeyDown, onChange, onRemove }: CodeFieldsProps) {
  const say = useWords(words);
  const no = String(place + 1);
  return (
    <div data-code className={classes.codeRow}>
      <TextInput
        aria-label={say.codeNo(no)}
        placeholder={say.scanCode}
        maxLength={125}
        spellCheck={false}
        autoCapitalize="none"
        {...(place === 0 && { 'data-autofocus': true })}
        value={row.code}
        onKeyDown={onKeyDown}
        onChange={(event) => onChange({ code: event.currentTarget.value })}
      />
      <NumberInput
        aria-label={say.unitsOfCode(no)}
        prefix="× "
        min={1}
        max={unitsMax}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        value={row.units}
        onKeyDown={onKeyDown}
        onChange={(units) => onChange({ units })}
      />
      <ActionIcon size={36} aria-label={say.removeCode(no)} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}

function Mistakes({ mistakes }: { mistakes: ProductChangeMistake[] }) {
  const say = useWords(words);
  const format = (mistake: ProductChangeMistake): string => {
    switch (mistake.kind) {
      case 'code_of_other':
        return say.codeOfOther(mistake.code, mistake.sku_id);
      case 'repeated_code':
        return say.repeatedCode(mistake.code);
      case 'unknown_warehouse':
      case 'repeated_warehouse':
        return say.unknownWarehouse(String(mistake.warehouse_no));
      default:
        return mistake satisfies never;
    }
  };
  return (
    <Alert color="red" role="alert" title={say.labelsNotSaved} p="sm">
      {mistakes.map(format).map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Alert>
  );
}
