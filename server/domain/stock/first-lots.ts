import type { Reader } from '../../platform/postgres/database.ts';
import type { Page, Search } from '../../platform/postgres/keyset-search.ts';
import { tenantOf } from '../partners/account-directory.ts';
import { enabledTenantsOf } from '../partners/partner-queries.ts';
import { sellingRules } from './query-stock.ts';
import type { SellingRule } from './stock-queries.ts';
import { type FoundLot, findLots } from './stock-search-queries.ts';

const lotsPerPage = 500;

/**
 * The first lots of an account that match a search, and the rules for selling them. Returns one more than the limit if
 * there is one, which tells whether there are more. A page may contain fewer although others follow.
 */
export async function findFirstLots(
  database: Reader,
  { accountId, ...search }: Pick<Search, 'filters' | 'sort'> & { accountId: number },
  limit: number,
  now: Date,
): Promise<{ lots: FoundLot[]; rules: SellingRule[] }> {
  const tenants = await database.read([accountId], (sql) => enabledTenantsOf(sql, [accountId]));
  const rules = sellingRules(tenants.map(tenantOf), now);
  const lots: FoundLot[] = [];
  let after: Search['after'] = null;
  do {
    const pageSize = Math.min(limit + 1 - lots.length, lotsPerPage);
    const page: Page<FoundLot> = await database.read([accountId], (sql) =>
      findLots(sql, { ...search, accountIds: [accountId], pageSize, after }, rules),
    );
    lots.push(...page.rows);
    after = page.next;
  } while (after !== null && lots.length <= limit);
  return { lots, rules };
}
