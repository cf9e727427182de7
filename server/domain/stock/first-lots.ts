import type { Database } from '../../platform/database.ts';
import type { Page, Search } from '../../platform/keyset-search.ts';
import { tenantOf } from '../partners/account-directory.ts';
import { enabledTenantsOf } from '../partners/partner-queries.ts';
import { sellingRules } from './query-stock.ts';
import type { SellingRule } from './stock-queries.ts';
import { type FoundLot, findLots } from './stock-search-queries.ts';

const lotsPerPage = 500;

/**
 * The first lots of an account by a search, and the rules by which they are sold. One more than is asked for, if there is: that tells whether
 * there are more. (A page may hold fewer although others follow.)
 */
export async function findFirstLots(
  database: Database,
  { accountId, ...search }: Pick<Search, 'filters' | 'sort'> & { accountId: number },
  limit: number,
  now: Date,
): Promise<{ lots: FoundLot[]; rules: SellingRule[] }> {
  const tenants = await database.read((sql) => enabledTenantsOf(sql, [accountId]));
  const rules = sellingRules(tenants.map(tenantOf), now);
  const lots: FoundLot[] = [];
  let after: Search['after'] = null;
  do {
    const pageSize = Math.min(limit + 1 - lots.length, lotsPerPage);
    const page: Page<FoundLot> = await database.read((sql) =>
      findLots(sql, { ...search, accountIds: [accountId], pageSize, after }, rules),
    );
    lots.push(...page.rows);
    after = page.next;
  } while (after !== null && lots.length <= limit);
  return { lots, rules };
}
