import { Option } from 'commander';
import { accountIdsOf } from '../server/domain/partners/partner-queries.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { exitCodes, Failure } from './command-line.ts';
import { warehouseNumber } from './limit-option.ts';

export async function accountOf(database: Database, accountNo: string): Promise<number> {
  const [accountId] = await database.read(noAccounts, (sql) => accountIdsOf(sql, accountNo));
  if (accountId === undefined) throw new Failure(exitCodes.refused, `there is no account ${accountNo}`);
  return accountId;
}

export function accountOption(meaning = 'whose stock'): Option {
  return new Option('--account <account_no>', meaning);
}

export function skuOption(): Option {
  return new Option('--sku <sku_id>', 'the product').makeOptionMandatory();
}

export function warehouseOption(meaning: string): Option {
  return new Option('--warehouse <warehouse_no>', meaning).argParser(warehouseNumber);
}
