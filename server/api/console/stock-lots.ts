import type { LotRow, RefusedStockChange, ShelfRow } from '../../../contract/console/stock-values.ts';
import { type BandDays, bandDaysOf, expiryBand } from '../../domain/stock/expiry-band.ts';
import { freeOf } from '../../domain/stock/lot.ts';
import { sellableFromAt, sellingRulesOf } from '../../domain/stock/query-stock.ts';
import type { RefusedChange } from '../../domain/stock/stock-change.ts';
import type { SellingRule } from '../../domain/stock/stock-queries.ts';
import type { ListedLot, ShelfSum } from '../../domain/stock/stock-search-queries.ts';
import { accountIdsOf, accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

/** By what lots are judged today: the rules of the accounts they belong to. */
export interface Judging {
  rules: SellingRule[];
  days: BandDays;
  accountNoOf(accountId: number): string;
}

export async function judgingOf({ directory, clock }: Pick<ConsoleParts, 'directory' | 'clock'>, accountNos?: string[]): Promise<Judging> {
  const asked = new Set(await accountIdsOf(directory, accountNos));
  const accounts = [...directory.known().values()].filter(({ accountId }) => asked.has(accountId));
  const now = clock.now();
  return { rules: sellingRulesOf(accounts, now), days: bandDaysOf(now), accountNoOf: accountNosOf(directory) };
}

export async function judgingOfOne(parts: Pick<ConsoleParts, 'directory' | 'clock'>, accountId: number): Promise<Judging> {
  await parts.directory.allNow();
  return await judgingOf(parts, [accountNosOf(parts.directory)(accountId)]);
}

export function wordLot(lot: ListedLot, { rules, days, accountNoOf }: Judging): LotRow {
  const { lot_id, account_id, warehouse_no, product_id, sku_id, product_name, stock_type, batch_id, expire_date, on_hand, locked } = lot;
  return {
    ...{ lot_id, account_no: accountNoOf(account_id), warehouse_no, product_id, sku_id, product_name, stock_type, batch_id, expire_date },
    expiry_band: expiryBand(expire_date, sellableFromAt(rules, account_id, warehouse_no), days),
    ...{ on_hand, locked, free: freeOf({ onHand: on_hand, locked }), sellable: lot.available },
  };
}

export function wordShelf({ product_id: _, available, ...shelf }: ShelfSum): ShelfRow {
  const { on_hand, locked } = shelf;
  return { ...shelf, free: freeOf({ onHand: on_hand, locked }), sellable: available };
}

export function wordRefusedChange(refused: RefusedChange): RefusedStockChange {
  return refused.kind === 'too_many_units' ? { kind: 'too_many_units', on_hand: refused.onHand, units_max: refused.unitsMax } : refused;
}
