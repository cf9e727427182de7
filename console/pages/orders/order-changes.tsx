import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type {
  OrderChangeEntry,
  OrderChangeKind,
  OrderFieldName,
} from '../../../contract/console/order-change-entry.ts';
import type {
  KnownShipMethods,
  OrderChangeResult,
  orderHold,
  orderRelease,
  orderUpdate,
} from '../../../contract/console/order-changes.ts';
import type { OrderDetail, OrderStatus } from '../../../contract/console/orders.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import type { BulkResult } from '../../kit/result-list.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { changeWords } from './change-words.ts';
import { labelValues } from './label-values.ts';
import classes from './orders.module.css';
import { words } from './words.ts';

export function isChanged({ kind }: OrderChangeResult): boolean {
  return kind === 'changed' || kind === 'requested';
}

type ChangeTexts = (typeof changeWords)['en'];

export function formatChange(
  result: OrderChangeResult,
  change: OrderChangeKind,
  say: ChangeTexts,
  statuses: Record<OrderStatus, string>,
): string {
  switch (result.kind) {
    case 'changed':
      return say.done[change];
    case 'requested':
      return say.requested;
    case 'not_found':
      return say.notFound;
    case 'too_late':
      return result.status === 'pending_warehouse_transfer' ? say.beingSent : say.tooLate(statuses[result.status]);
    case 'not_applicable':
      return say.notApplicable(result.fields.map((field) => say.field[field]).join(', '));
    case 'unknown_ship_method':
      return say.unknownShipMethod;
    case 'too_many':
      return say.tooMany(formatNumber(result.max));
    default:
      return result satisfies never;
  }
}

export interface HoldQuestionProps {
  action: 'hold' | 'release';
  orderIds: number[];
  /** "order A-1", or "12 orders". */
  what: string;
  onClose(): void;
  onResults(title: string, results: BulkResult[]): void;
}

/** Asks before orders are held or released. */
export function HoldQuestion({ action, orderIds, what, onClose, onResults }: HoldQuestionProps) {
  const say = useWords(changeWords);
  const shared = useWords(sharedWords);
  const onAnswer = ({ results }: { results: OrderChangeResult[] }) =>
    onResults(
      say.results[action],
      results.map((result) => ({
        key: String(result.order_id),
        name: result.partner_number ?? String(result.order_id),
        ok: isChanged(result),
        text: formatChange(result, action, say, shared.orderStatus),
      })),
    );
  const hold = useChange<typeof orderHold>('/orders/hold', { onAnswer });
  const release = useChange<typeof orderRelease>('/orders/release', { onAnswer });
  const isHold = action === 'hold';
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={isHold ? say.holdQuestion(what) : say.releaseQuestion(what)}
      confirmLabel={isHold ? say.holdButton(what) : say.releaseButton(what)}
      {...(isHold && { reason: 'optional' as const })}
      isRunning={hold.isRunning || release.isRunning}
      onConfirm={(reason) =>
        void (isHold
          ? hold.run({ order_ids: orderIds, ...(reason !== '' && { reason }) })
          : release.run({ order_ids: orderIds }))
      }
    >
      {isHold ? say.holdEffect : say.releaseEffect}
    </ConfirmDialog>
  );
}

type Update = BodyOf<typeof orderUpdate>;

const wireNames = {
  name: 'consignee_name',
  phone: 'consignee_phone',
  address: 'consignee_address',
  city: 'consignee_city',
  zip: 'consignee_zip',
  logistics_type: 'logistics_type',
  express_type: 'express_type',
  note: 'note',
} as const;
type TextField = keyof typeof wireNames;

const lengthMax = { name: 255, phone: 50, address: 500, city: 100, zip: 20, note: 2000 } as const;
const shipMethods = {
  home: ['tcat', 'hct', 'post'],
  csvs: ['pcsc', 'family', 'hilife'],
} as const satisfies KnownShipMethods;
const selects = {
  logistics_type: ['home', 'csvs'],
  express_type: [...shipMethods.home, ...shipMethods.csvs],
} as const;
const ofDirect: TextField[] = ['name', 'phone', 'address', 'zip', 'logistics_type', 'express_type'];
const ofLogistics: TextField[] = ['name', 'phone', 'address', 'city', 'note'];

/** A form with empty fields: the current recipient is masked, and empty fields stay as they are. */
export function ChangeRecipient({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const say = useWords(changeWords);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const [values, setValues] = useState<Partial<Record<TextField, string>>>({});
  const [label, setLabel] = useState('');
  const isLogistics = order.channel === 'logistics';
  const parsed = label.trim() === '' ? undefined : objectOf(label);
  const update = useChange<typeof orderUpdate>('/orders/update', {
    onAnswer: (result) => {
      const text = formatChange(result, 'update', say, shared.orderStatus);
      if (!isChanged(result)) return notices.refused(text);
      notices.done(text);
      onClose();
    },
  });
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const isEmpty = given.length === 0 && parsed === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty || parsed === null || update.isRunning) return;
    const fields = Object.fromEntries(given.map(([field, value]) => [wireNames[field as TextField], value]));
    const body = { order_id: order.order_id, ...fields, ...(parsed && { store_pickup_label_data: parsed }) };
    void update.run(body as Update);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={say.updateTitle(order.partner_number)}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{say.updateEffect}</Text>
          {(isLogistics ? ofLogistics : ofDirect).map((field) => (
            <ChangedValue
              key={field}
              field={field}
              value={values[field] ?? ''}
              onChange={(value) => setValues({ ...values, [field]: value })}
            />
          ))}
          {isLogistics && <LabelField value={label} isWrong={parsed === null} onChange={setLabel} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {shared.verb.close}
            </Button>
            <Button type="submit" loading={update.isRunning} disabled={isEmpty || parsed === null}>
              {say.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function LabelField({ value, isWrong, onChange }: { value: string; isWrong: boolean; onChange(value: string): void }) {
  const say = useWords(changeWords);
  return (
    <Textarea
      label={say.field.store_pickup_label_data}
      description={say.labelHint}
      error={isWrong ? say.notJson : null}
      value={value}
      autosize
      maxRows={8}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ChangedValue({ field, value, onChange }: { field: TextField; value: string; onChange(value: string): void }) {
  const say = useWords(changeWords);
  const { shipMethod } = useWords(words);
  const label = say.field[field];
  if (field === 'logistics_type' || field === 'express_type')
    return (
      <Select
        label={label}
        data={selects[field].map((code) => ({ value: code, label: shipMethod[code] }))}
        value={value || null}
        onChange={(one) => onChange(one ?? '')}
        clearable
      />
    );
  const Field = field === 'note' ? Textarea : TextInput;
  return (
    <Field
      label={label}
      value={value}
      maxLength={lengthMax[field]}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** null: not a JSON object. */
function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The fields of a change, each with its old and new value. */
export function ChangedFields({ entry }: { entry: Pick<OrderChangeEntry, 'fields' | 'is_erased'> }) {
  const say = useWords(changeWords);
  const { shipMethod } = useWords(words);
  const fieldName = (field: OrderFieldName) => say.field[field];
  const show = (field: OrderFieldName, value: string | null) =>
    value === null ? say.empty : formatValue(field, value, shipMethod);
  if (entry.is_erased)
    return (
      <span>
        {entry.fields.map(({ field }) => fieldName(field)).join(', ')}: {say.erased}
      </span>
    );
  return (
    <>
      {entry.fields.map(({ field, old, new: after }) => (
        <div key={field} className={classes.text}>
          {say.fromTo(fieldName(field), show(field, old), show(field, after))}
        </div>
      ))}
    </>
  );
}

function formatValue(field: OrderFieldName, value: string, shipMethod: Record<string, string>): string {
  if (field === 'logistics_type' || field === 'express_type') return shipMethod[value] ?? value;
  const label = field === 'store_pickup_label_data' ? objectOf(value) : null;
  if (label === null) return value;
  return labelValues(label)
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
}
