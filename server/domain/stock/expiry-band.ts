import { taipeiDay } from '../../platform/clock.ts';
import type { Search } from '../../platform/postgres/keyset-search.ts';
import type { SellingRule } from './stock-queries.ts';

/** How close a lot is to its expiry, closest first: the first name that applies is its band. */
export const expiryBands = ['expired', 'unsellable', 'within_30_days', 'within_90_days', 'later', 'none'] as const;
export type ExpiryBand = (typeof expiryBands)[number];

/** The days that separate the bands, `YYYY-MM-DD`. */
export interface BandDays {
  today: string;
  in30Days: string;
  in90Days: string;
}

export function bandDaysOf(now: Date): BandDays {
  return { today: taipeiDay(now), in30Days: taipeiDay(now, 30), in90Days: taipeiDay(now, 90) };
}

/** `sellableFrom`: the first expiry date that is still sold in the warehouse; null: any date. */
export function expiryBand(
  expireDate: string | null,
  sellableFrom: string | null,
  { today, in30Days, in90Days }: BandDays,
): ExpiryBand {
  if (expireDate === null) return 'none';
  if (expireDate < today) return 'expired';
  if (sellableFrom !== null && expireDate < sellableFrom) return 'unsellable';
  if (expireDate <= in30Days) return 'within_30_days';
  return expireDate <= in90Days ? 'within_90_days' : 'later';
}

/** The filters of the lot list that select this band. */
export function filtersOfBand(
  band: ExpiryBand,
  rules: Pick<SellingRule, 'sellableFrom'>[],
  days: BandDays,
): Search['filters'] {
  const { today, in30Days, in90Days } = days;
  const sold: Search['filters'] = rules.length === 0 ? {} : { is_too_old: { anyOf: [0] } };
  switch (band) {
    case 'expired':
      return { expire_date: { lt: today } };
    case 'unsellable': {
      const lastRule = rules
        .map(({ sellableFrom }) => sellableFrom)
        .toSorted()
        .at(-1);
      return { expire_date: { gte: today, lt: lastRule ?? today }, is_too_old: { anyOf: [1] } };
    }
    case 'within_30_days':
      return { expire_date: { gte: today, lte: in30Days }, ...sold };
    case 'within_90_days':
      return { expire_date: { gt: in30Days, lte: in90Days }, ...sold };
    case 'later':
      return { expire_date: { gt: in90Days, lt: 'infinity' }, ...sold };
    case 'none':
      return { expire_date: { anyOf: ['infinity'] } };
    default:
      return band satisfies never;
  }
}
