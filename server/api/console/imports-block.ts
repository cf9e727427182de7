import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { importsCheck } from '../../../contract/console/imports.ts';
import { errorMessage } from '../../../messages/errors.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { findTenant, type KnownAccount } from '../../domain/partners/account-directory.ts';
import { type ImportRow, type RowMistake, readCells, readTitles, titleIn } from '../import-rows.ts';
import type { ConsoleCaller } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { refuseOtherWarehouses } from './own-warehouses.ts';

type Body = Omit<BodyOf<typeof importsCheck>, 'taken'>;

/** The rows of a request, and whom they are for. */
export interface Block {
  kind: Body['kind'];
  account: KnownAccount;
  warehouseTpwId: string;
  rows: ImportRow[];
  cellMistakes: RowMistake[];
  /** The title of a field in the file. */
  titleOf(field: string | null): string | null;
}

/** Reads the rows of a request. An account, tenant or warehouse that the operator may not use is refused. */
export async function readBlock({ directory }: ConsoleParts, caller: ConsoleCaller, body: Body): Promise<Block> {
  const { kind, account_no, warehouse_tpw_id = '', titles } = body;
  const account = (await directory.allNow()).get(account_no);
  if (account === undefined) throw mistakeAt('account_no', rejection('unknown_account', { account: account_no }));
  if (!account.enabled) throw mistakeAt('account_no', rejection('disabled_account', { account: account_no }));
  if (kind !== 'products') {
    if (warehouse_tpw_id === '') throw mistakeAt('warehouse_tpw_id', errorMessage('field_missing'));
    const tenant = await findTenant(directory, account, warehouse_tpw_id);
    if (tenant === null) throw mistakeAt('warehouse_tpw_id', errorMessage('unknown_tenant'));
    refuseOtherWarehouses(caller, [tenant.warehouseNo]);
  }
  const { columns, mistakes } = readTitles(kind, titles);
  if (mistakes.length > 0) throw mistakeAt('titles', mistakes[0]!);
  const { rows, mistakes: cellMistakes } = readCells(columns, body.rows);
  const titleOf = (field: string | null) => titleIn(titles, columns, field);
  return { kind, account, warehouseTpwId: warehouse_tpw_id, rows, cellMistakes, titleOf };
}
