import type { ComponentProps } from 'react';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { WholeNumberInput } from './form-dialog.tsx';
import { words } from './words.ts';

interface ShelfLife {
  sellable_days_before_expiry: number | null;
}

/** What the field shows at first: a new tenant or key sells through the expiry date, and an empty field is no limit. */
export function daysTyped(partner: ShelfLife | null): string {
  return partner === null ? '0' : (partner.sellable_days_before_expiry?.toString() ?? '');
}

export function daysGiven(typed: string): ShelfLife {
  return { sellable_days_before_expiry: typed === '' ? null : Number(typed) };
}

export function SellableDaysInput(field: Omit<ComponentProps<typeof WholeNumberInput>, 'label' | 'description'>) {
  const say = useWords(words);
  return <WholeNumberInput label={say.sellableDays} description={say.sellableDaysHint} {...field} />;
}

export function SellableDaysText({ days }: { days: number | null }) {
  const say = useWords(words);
  return days === null ? say.noSellableDays : formatNumber(days);
}
