import type { Database } from '../../platform/postgres/database.ts';
import { isUniqueViolation } from '../../platform/postgres/errors.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { findWarehousesInUse } from '../partners/warehouse-queries.ts';
import { changedFacts, isWhole, type KnownFacts, nothingMeasured, type Product } from './product.ts';
import { codesPerProductMax, type ProductCode, type ProductLocation } from './product-code.ts';
import { findCodeOwners, findOverfullProducts, replaceCodes, writeLocations } from './product-code-queries.ts';
import { insertProducts, lockProducts, takeProductIds, updateProducts } from './product-queries.ts';

/** New facts, codes and locations of a product. */
export interface ProductChange {
  skuId: string;
  /** A fact that is left out keeps its value. With a name and a storage type, a product that does not exist is created. */
  facts?: KnownFacts;
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
  | { kind: 'unknown_product' | 'incomplete_product' | 'repeated_product' | 'too_many_codes' }
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

/** A partner may create the same product or give the same code at the same moment; the next try finds it. */
const triesMax = 3;

/** Creates products, and sets facts, codes and locations of products: all or none. */
export async function changeProducts(database: Database, asked: ProductsChange): Promise<ChangeProductsOutcome> {
  const repeated = repeatsIn(asked.changes);
  if (repeated.length > 0) return { kind: 'refused', mistakes: repeated };
  for (let tries = 1; ; tries++) {
    try {
      await database.transaction([asked.accountId], async (tx) => {
        await change(tx, asked);
        if (asked.isTrial) throw new Refused([]);
      });
      return { kind: 'changed' };
    } catch (error) {
      if (isUniqueViolation(error) && tries < triesMax) continue;
      if (!(error instanceof Refused)) throw error;
      return error.mistakes.length > 0 ? { kind: 'refused', mistakes: error.mistakes } : { kind: 'changed' };
    }
  }
}

async function change(tx: Tx, { accountId, changes, addsCodes = false }: ProductsChange): Promise<void> {
  // Locked, so that two changes of a product follow each other.
  const products = await lockProducts(
    tx,
    changes.map(({ skuId }) => ({ accountId, skuId })),
  );
  const warehouses = new Set((await findWarehousesInUse(tx, accountId)).map(({ warehouse_no }) => warehouse_no));
  const known = new Map(products.map((product) => [product.skuId, product]));
  const owners = await findCodeOwners(
    tx,
    accountId,
    changes.flatMap(({ codes }) => (codes ?? []).map(({ code }) => code)),
  );
  const givenUp = (code: string, owner: string) => !addsCodes && givesUp(changes, owner, code);
  const wrong = changes.flatMap((one, index) => [
    ...unknownIn(one, index, known, warehouses),
    ...mistakesAtCodes(one, index, (code) => {
      const owner = owners.get(code) ?? one.skuId;
      return owner !== one.skuId && !givenUp(code, owner);
    }),
  ]);
  if (wrong.length > 0) throw new Refused(wrong);

  const added = await addProducts(tx, accountId, changes, known);
  const idOf = new Map([...products, ...added].map(({ skuId, productId }) => [skuId, productId]));
  await updateFacts(tx, changes, known);
  const withCodes = changes.filter(({ codes }) => codes !== null);
  const codes = withCodes.flatMap((one) => one.codes!.map((code) => ({ ...code, productId: idOf.get(one.skuId)! })));
  const ofOthers = await replaceCodes(
    tx,
    accountId,
    withCodes.map(({ skuId }) => idOf.get(skuId)!),
    codes,
    addsCodes,
  );
  if (ofOthers.size > 0)
    throw new Refused(changes.flatMap((one, index) => mistakesAtCodes(one, index, (code) => ofOthers.has(code))));
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

/** A code may move to another product within one request. */
function givesUp(changes: ProductChange[], owner: string, code: string): boolean {
  const codes = changes.find(({ skuId }) => skuId === owner)?.codes;
  return codes?.every((one) => one.code !== code) ?? false;
}

async function addProducts(
  tx: Tx,
  accountId: number,
  changes: ProductChange[],
  known: Map<string, Product>,
): Promise<Product[]> {
  const missing = changes.filter(({ skuId }) => !known.has(skuId));
  if (missing.length === 0) return [];
  const ids = await takeProductIds(tx, missing.length);
  const added = missing.flatMap(({ skuId, facts }, index) =>
    isWhole(facts) ? [{ ...nothingMeasured, ...facts, accountId, skuId, productId: ids[index]! }] : [],
  );
  await insertProducts(tx, added);
  return added;
}

/** A product that has these facts already stays as it is, also its time of change. */
async function updateFacts(tx: Tx, changes: ProductChange[], known: Map<string, Product>): Promise<void> {
  const changed = changes.flatMap(({ skuId, facts = {} }) => {
    const before = known.get(skuId);
    return before === undefined || changedFacts(before, facts).length === 0 ? [] : [{ ...before, ...facts }];
  });
  if (changed.length > 0) await updateProducts(tx, changed);
}

function unknownIn(
  { skuId, facts, locations }: ProductChange,
  index: number,
  known: Map<string, Product>,
  warehouses: Set<number>,
): ProductMistake[] {
  const kind = facts === undefined ? ('unknown_product' as const) : ('incomplete_product' as const);
  return [
    ...(known.has(skuId) || isWhole(facts) ? [] : [{ kind, index }]),
    ...locations.flatMap(({ warehouseNo }, locationIndex) =>
      warehouses.has(warehouseNo) ? [] : [{ kind: 'unknown_warehouse' as const, index, locationIndex }],
    ),
  ];
}

function mistakesAtCodes(
  { codes }: ProductChange,
  index: number,
  isWrong: (code: string) => boolean,
): ProductMistake[] {
  return (codes ?? []).flatMap(({ code }, codeIndex) =>
    isWrong(code) ? [{ kind: 'code_of_other' as const, index, codeIndex }] : [],
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
