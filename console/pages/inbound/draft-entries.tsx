import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import type { InboundDetail } from '../../../contract/console/inbound.ts';
import { DateField } from '../../kit/date-field.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import classes from './inbound.module.css';
import { type DraftEntry, type ReceiptDraft, roomFor, withEntry, withOtherLot, withoutEntry } from './receipt-draft.ts';
import { words } from './words.ts';

export interface DraftEntriesProps {
  document: InboundDetail;
  draft: ReceiptDraft;
  onChange(draft: ReceiptDraft): void;
  /** Called when Enter ends the input, so that the next scan goes to the scan field. */
  onLeave(): void;
}

const unitsMax = 1_000_000_000;

/** The counted units, one editable row per lot. */
export function DraftEntries({ document, draft, onChange, onLeave }: DraftEntriesProps) {
  const say = useWords(words);
  return (
    <ul className={classes.entries} aria-label={say.section.receive}>
      {draft.entries.map((entry, place) => (
        <li key={entry.key} className={classes.entry} data-current={place === 0 || undefined}>
          <EntryName document={document} draft={draft} entry={entry} />
          <EntryFields draft={draft} entry={entry} onChange={onChange} onLeave={onLeave} />
        </li>
      ))}
    </ul>
  );
}

function EntryName({ document, draft, entry }: { document: InboundDetail; draft: ReceiptDraft; entry: DraftEntry }) {
  const say = useWords(words);
  const room = roomFor(document, draft, entry.skuId);
  const product = document.products.find(({ sku_id }) => sku_id === entry.skuId);
  return (
    <div className={classes.entryName}>
      <strong>{entry.skuId}</strong>
      <div className={classes.small}>{product?.name}</div>
      {room < 0 ? (
        <div className={classes.wrong} role="alert">
          {say.draft.tooMany(formatNumber(product?.still_accepted ?? 0))}
        </div>
      ) : (
        <div className={classes.small}>{say.draft.mayCome(formatNumber(room))}</div>
      )}
    </div>
  );
}

function EntryFields({
  draft,
  entry,
  onChange,
  onLeave,
}: Pick<DraftEntriesProps, 'draft' | 'onChange' | 'onLeave'> & { entry: DraftEntry }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const { key, skuId, batchId, expireDate, good, bad } = entry;
  const isFixed = draft.isUncertain;
  const set = (change: Partial<DraftEntry>) => onChange(withEntry(draft, key, change));
  const field = {
    disabled: isFixed,
    onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && !event.ctrlKey && !event.metaKey && onLeave(),
  };
  const units = { min: 0, max: unitsMax, allowDecimal: false, allowNegative: false, ...field } as const;
  return (
    <>
      <NumberInput
        {...units}
        label={say.column.good}
        aria-label={say.draft.good(skuId)}
        value={good}
        onChange={(value) => set({ good: Number(value) || 0 })}
      />
      <NumberInput
        {...units}
        label={say.column.bad}
        aria-label={say.draft.bad(skuId)}
        value={bad}
        onChange={(value) => set({ bad: Number(value) || 0 })}
      />
      <TextInput
        {...field}
        label={shared.noun.batch}
        aria-label={say.draft.batch(skuId)}
        maxLength={125}
        autoComplete="off"
        value={batchId}
        onChange={(event) => set({ batchId: event.currentTarget.value })}
      />
      <DateField
        {...field}
        label={shared.noun.expiry}
        aria-label={say.draft.expiry(skuId)}
        value={expireDate}
        onChange={(text) => set({ expireDate: text })}
      />
      <EntryTools draft={draft} entry={entry} onChange={onChange} />
    </>
  );
}

function EntryTools({ draft, entry, onChange }: Pick<DraftEntriesProps, 'draft' | 'onChange'> & { entry: DraftEntry }) {
  const say = useWords(words);
  const { key, skuId } = entry;
  return (
    <div className={classes.entryTools}>
      <Button
        variant="subtle"
        disabled={draft.isUncertain}
        aria-label={say.draft.otherLotOf(skuId)}
        onClick={() => onChange(withOtherLot(draft, skuId))}
      >
        {say.draft.otherLot}
      </Button>
      <ActionIcon
        size="lg"
        disabled={draft.isUncertain}
        aria-label={say.draft.removeEntry(skuId)}
        onClick={() => onChange(withoutEntry(draft, key))}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  );
}
