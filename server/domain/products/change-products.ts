import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { findWarehousesInUse } from '../partners/warehouse-queries.ts';
import { codesPerProductMax, type ProductCode, type ProductLocation } from './product-code.ts';
import { findOverfullProducts, replaceCodes, writeLocations } from './product-code-queries.ts';
import { lockProducts } from './product-queries.ts';

/** New codes and locations of a product. */
export interface ProductChange {
  skuId: string;
  /** All codes of the product from now on; null: unchanged. */
  codes: ProductCode[] | null;
  /** An empty location is removed; warehouses that are not listed keep theirs. */
  locations: ProductLocation[];
}

export interface ProductsChange {
  accountId: number;
  changes: ProductChange[];
  /** The products keep codes that are not listed. */
  addsCodes?: boolean;
  /** Everything is checked, and nothing is changed. */
  isTrial?: boolean;
}

export type ProductMistake = { index: number } & (
  | { kind: 'unknown_product' | 'repeated_product' | 'too_many_codes' }
  | { kind: 'code_of_other' | 'repeated_code'; codeIndex: number }
  | { kind: 'unknown_warehouse' | 'repeated_warehouse'; locationIndex: number }
);

export type ChangeProductsOutcome = { kind: 'changed' } | { kind: 'refused'; mistakes: ProductMistake[] };

/** Rolls the transaction back. */
class Refused extends Error {
  readonly mistakes: ProductMistake[];

  constructor(mistakes: ProductMistake[]) {
    super('the change of products is refused');
    this.mistakes = mistakes;
  }
}

/** Sets codes and locations of products: all or none. */
export async function changeProducts(database: Database, asked: ProductsChange): Promise<ChangeProductsOutcome> {
  const repeated = repeatsIn(asked.changes);
  if (repeated.length > 0) return { kind: 'refused', mistakes: repeated };
  try {
    await database.transaction([asked.accountId], async (tx) => {
      await change(tx, asked);
      if (asked.isTrial) throw new Refused([]);
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.mistakes.length > 0) return { kind: 'refused', mistakes: error.mistakes };
  }
  return { kind: 'changed' };
}

async function change(tx: Tx, { accountId, changes, addsCodes = false }: ProductsChange): Promise<void> {
  // Locked, so that two changes of a product follow each other.
  const products = await lockProducts(
    tx,
    changes.map(({ skuId }) => ({ accountId, skuId })),
  );
  const warehouses = new Set((await findWarehousesInUse(tx, accountId)).map(({ warehouse_no }) => warehouse_no));
  const idOf = new Map(products.map(({ skuId, productId }) => [skuId, productId]));
  const unknown = changes.flatMap((one, index) => unknownIn(one, index, idOf, warehouses));
  if (unknown.length > 0) throw new Refused(unknown);

  const withCodes = changes.filter(({ codes }) => codes !== null);
  const codes = withCodes.flatMap((one) => one.codes!.map((code) => ({ ...code, productId: idOf.get(one.skuId)! })));
  const ofOthers = await replaceCodes(
    tx,
    accountId,
    withCodes.map(({ skuId }) => idOf.get(skuId)!),
    codes,
    addsCodes,
  );
  if (ofOthers.size > 0) throw new Refused(mistakesAtCodes(changes, ofOthers));
  if (addsCodes) {
    const overfull = await findOverfullProducts(tx, accountId, [...idOf.values()], codesPerProductMax);
    if (overfull.size > 0) throw new Refused(mistakesAtProducts(changes, (skuId) => overfull.has(idOf.get(skuId)!)));
  }
  await writeLocations(
    tx,
    accountId,
    changes.flatMap(({ skuId, locations }) => locations.map((one) => ({ ...one, productId: idOf.get(skuId)! }))),
  );
}

function unknownIn(
  { skuId, locations }: ProductChange,
  index: number,
  idOf: Map<string, number>,
  warehouses: Set<number>,
): ProductMistake[] {
  return [
    ...(idOf.has(skuId) ? [] : [{ kind: 'unknown_product' as const, index }]),
    ...locations.flatMap(({ warehouseNo }, locationIndex) =>
      warehouses.has(warehouseNo) ? [] : [{ kind: 'unknown_warehouse' as const, index, locationIndex }],
    ),
  ];
}

function mistakesAtCodes(changes: ProductChange[], wrong: Set<string>): ProductMistake[] {
  return changes.flatMap(({ codes }, index) =>
    (codes ?? []).flatMap(({ code }, codeIndex) =>
      wrong.has(code) ? [{ kind: 'code_of_other' as const, index, codeIndex }] : [],
    ),
  );
}

function mistakesAtProducts(changes: ProductChange[], isOverfull: (skuId: string) => boolean): ProductMistake[] {
  return changes.flatMap(({ skuId }, index) => (isOverfull(skuId) ? [{ kind: 'too_many_codes' as const, index }] : []));
}

/** Each product, each code, and each warehouse of a product may be listed once. */
function repeatsIn(changes: ProductChange[]): ProductMistake[] {
  const skus = new Set<string>();
  const seenCodes = new Set<string>();
  return changes.flatMap(({ skuId, codes, locations }, index): ProductMistake[] => {
    const seenWarehouses = new Set<number>();
    return [
      ...(isNew(skus, skuId) ? [] : [{ kind: 'repeated_product' as const, index }]),
      ...(codes ?? []).flatMap(({ code }, codeIndex) =>
        isNew(seenCodes, code) ? [] : [{ kind: 'repeated_code' as const, index, codeIndex }],
      ),
      ...locations.flatMap(({ warehouseNo }, locationIndex) =>
        isNew(seenWarehouses, warehouseNo) ? [] : [{ kind: 'repeated_warehouse' as const, index, locationIndex }],
      ),
    ];
  });
}

function isNew<Value>(seen: Set<Value>, value: Value): boolean {
  return !seen.has(value) && seen.add(value).has(value);
}
