import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { CountLot } from '../../../contract/console/counts.ts';
import type { StockType } from '../../../contract/console/stock.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { formatLot, lotKey } from './count-lot.ts';
import classes from './counts.module.css';
import type { LotQuestion } from './use-count.ts';
import { words } from './words.ts';

/**
 * Asks for the lot of a product: one of those in stock, or another one as it is printed on the goods. It is no dialog,
 * because the Enter key of a scanner would press a button there. Further scans wait in the queue of the scan field.
 */
export function ChooseLot({ question: { product, lots, answer } }: { question: LotQuestion }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [isOther, setOther] = useState(lots.length === 0);
  return (
    <Alert variant="default" role="alert" title={say.lot.choose(product.sku_id)}>
      {isOther ? (
        <OtherLot productId={product.product_id} onLot={answer} />
      ) : (
        <Stack gap="xs">
          {lots.map((lot) => (
            <Button
              key={lotKey(lot)}
              size="lg"
              variant="default"
              classNames={{ label: classes.lotButton ?? '' }}
              onClick={() => answer(lot)}
            >
              {formatLot(lot, say)}
            </Button>
          ))}
          <Text size="sm" c="dimmed">
            {say.lot.chooseHint}
          </Text>
        </Stack>
      )}
      <Group gap="xs" mt="sm">
        {!isOther && (
          <Button size="md" variant="subtle" onClick={() => setOther(true)}>
            {say.lot.other}
          </Button>
        )}
        <Button size="md" variant="subtle" color="gray" onClick={() => answer(null)}>
          {shared.verb.close}
        </Button>
      </Group>
    </Alert>
  );
}

function OtherLot({ productId, onLot }: { productId: number; onLot(lot: CountLot): void }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const [batch, setBatch] = useState('');
  const [expiry, setExpiry] = useState('');
  const [stockType, setStockType] = useState<StockType>('good');
  const [isWrong, setWrong] = useState(false);
  const expiryField = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const day = expiry.trim();
    if (day !== '' && !isDay(day)) return setWrong(true);
    onLot({
      product_id: productId,
      stock_type: stockType,
      batch_id: batch.trim(),
      expire_date: day === '' ? null : day,
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          autoFocus
          size="md"
          label={shared.noun.batch}
          description={say.lot.batchHint}
          value={batch}
          maxLength={125}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setBatch(event.currentTarget.value)}
          // The batch may be scanned, and the scanner presses Enter.
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            expiryField.current?.focus();
          }}
        />
        <TextInput
          ref={expiryField}
          size="md"
          label={shared.noun.expiry}
          description={say.lot.expiryHint}
          placeholder="2027-06-30"
          value={expiry}
          maxLength={10}
          autoComplete="off"
          error={isWrong && !isDay(expiry.trim()) ? say.lot.notADay : null}
          onChange={(event) => setExpiry(event.currentTarget.value)}
        />
        <Grade value={stockType} onChange={setStockType} />
        <Button type="submit" size="lg">
          {say.lot.use}
        </Button>
      </Stack>
    </form>
  );
}

function Grade({ value, onChange }: { value: StockType; onChange(value: StockType): void }) {
  const { lot: say } = useWords(words);
  const label = useId();
  return (
    <div>
      <Text size="sm" fw={500} id={label} mb={4}>
        {say.grade}
      </Text>
      <SegmentedControl
        fullWidth
        size="md"
        aria-labelledby={label}
        value={value}
        onChange={(chosen) => onChange(chosen as StockType)}
        data={(['good', 'bad'] as const).map((one) => ({ value: one, label: say[one] }))}
      />
    </div>
  );
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
