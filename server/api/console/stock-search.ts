import type { BodyOf } from '../../../contract/console/console-call.ts';
import { stockSearch } from '../../../contract/console/stock-search.ts';
import { filtersOfBand } from '../../domain/stock/expiry-band.ts';
import { findListedLots } from '../../domain/stock/stock-search-queries.ts';
import type { Condition, Search } from '../../platform/keyset-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { type Judging, judgingOf, wordLot } from './stock-lots.ts';

export function stockSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockSearch, {
    role: 'read-only',
    audit: null,
    async handle(_caller, body) {
      const judging = await judgingOf(parts, body.accounts);
      const find = (search: Search) => parts.database.read((sql) => findListedLots(sql, search, judging.rules));
      return await listPage(parts, body, { list: 'stock', filters: filtersOf(body, judging) }, find, (lot) => wordLot(lot, judging));
    },
  });
}

function filtersOf(body: BodyOf<typeof stockSearch>, { rules, days }: Judging): Search['filters'] {
  const { warehouse_no, sku_id, sku_prefix, stock_type, batch_id, expiry_band, expires_from, expires_to, only_free } = body;
  const { expire_date: ofBand = {}, ...band } = expiry_band === undefined ? {} : filtersOfBand(expiry_band, rules, days);
  const expire_date = within(ofBand, expires_from, expires_to);
  return {
    ...band,
    ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
    ...(batch_id === undefined ? {} : { batch_id: { anyOf: [batch_id] } }),
    ...(Object.keys(expire_date).length === 0 ? {} : { expire_date }),
    ...(only_free ? { free: { gt: 0 } } : {}),
    ...(warehouse_no === undefined ? {} : { warehouse_no: { anyOf: warehouse_no } }),
    ...(stock_type === undefined ? {} : { stock_type: { anyOf: [stock_type] } }),
  };
}

export function skuCondition(skuId: string | undefined, prefix: string | undefined): Condition {
  return { ...(skuId === undefined ? {} : { anyOf: [skuId] }), ...(prefix === undefined ? {} : { prefix }) };
}

/** The days of a band that also lie in a range; what does not expire lies in none. */
function within(ofBand: Condition, from: string | undefined, to: string | undefined): Condition {
  const gte = [ofBand.gte, from]
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1);
  const lte = [ofBand.lte, to].filter((day) => day !== undefined).toSorted()[0];
  const ends = from !== undefined && ofBand.lt === undefined && lte === undefined ? { lt: 'infinity' } : {};
  return { ...ofBand, ...ends, ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) };
}
