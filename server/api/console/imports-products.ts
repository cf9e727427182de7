import type { ImportedDocument, ImportedProductChange } from '../../../contract/console/imports.ts';
import { readProductRows } from '../import-product-rows.ts';
import { type ImportedChange, importProducts } from '../import-products.ts';
import type { ImportRow, RowMistake } from '../import-rows.ts';
import type { ConsoleCaller } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import type { Block } from './imports-block.ts';
import { refuseOtherWarehouses, refuseRestricted } from './own-warehouses.ts';

/** Imports the products of a block: all or none. A trial says what would change, or what is wrong with each product. */
export async function checkProducts(
  { database }: ConsoleParts,
  caller: ConsoleCaller,
  { account: { accountId }, rows, cellMistakes, titleOf }: Block,
  isTrial: boolean,
): Promise<ImportedDocument[]> {
  const file = readProductRows(rows, cellMistakes);
  refuseOtherWarehouses(
    caller,
    file.changes.flatMap(({ locations }) => locations.map(({ warehouseNo }) => warehouseNo)),
  );
  // A name or a storage type counts in all warehouses.
  if (file.changes.some(({ facts }) => facts.size > 0)) refuseRestricted(caller.session);
  const outcome = await importProducts(database, { accountId, file, isTrial });
  const mistakes = outcome.kind === 'refused' ? outcome.mistakes : [];
  const changeOf = new Map(outcome.changes.map((change) => [change.skuId, change]));
  return productsIn(rows).map((product) => {
    const own = mistakes.filter(({ row }) => product.rows.includes(row));
    const change = changeOf.get(product.name) ?? null;
    // The block is imported as a whole: beside a mistake, the others are as unchanged as it is.
    const isRefused = own.length > 0 || (!isTrial && outcome.kind === 'refused');
    return {
      ...product,
      units: 0,
      outcome: isRefused ? ('refused' as const) : outcomeOf(change),
      mistakes: own.map(({ row, field, problem }: RowMistake) => ({ row, column: titleOf(field), problem })),
      change: change && toChange(change),
    };
  });
}

function outcomeOf(change: ImportedChange | null): 'created' | 'changed' | 'known' {
  if (change === null) return 'known';
  return change.isNew ? 'created' : 'changed';
}

/** The products of the rows in the order of the file. A row without a sku stands alone. */
function productsIn(rows: ImportRow[]): { name: string; rows: number[] }[] {
  const bySku = Map.groupBy(rows, ({ row, values }) => values.sku_id ?? row);
  return [...bySku].map(([sku, those]) => ({
    name: typeof sku === 'string' ? sku : '',
    rows: those.map(({ row }) => row),
  }));
}

function toChange({ facts, codes, locations }: ImportedChange): ImportedProductChange {
  return {
    facts,
    codes,
    locations: locations.map(({ warehouseNo, location, before }) => ({ warehouse_no: warehouseNo, location, before })),
  };
}
