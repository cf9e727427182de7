import { importMistake } from '../../messages/import-texts.ts';
import type { Message } from '../../messages/message.ts';
import { changeProducts, type ProductMistake } from '../domain/products/change-products.ts';
import { changedFacts, type KnownFacts, type Product } from '../domain/products/product.ts';
import { codesPerProductMax } from '../domain/products/product-code.ts';
import { findCodeOwners, findCodes, findLocations } from '../domain/products/product-code-queries.ts';
import { readProducts } from '../domain/products/product-queries.ts';
import type { Database } from '../platform/postgres/database.ts';
import { factsOf, type PlacedChange, type ProductFile, toProductChange } from './import-product-rows.ts';
import type { RowMistake } from './import-rows.ts';

/** The changes of a product that a file makes. `before` is null for something new. */
export interface ImportedChange {
  skuId: string;
  isNew: boolean;
  facts: { name: keyof KnownFacts; before: string | null; after: string | null }[];
  codes: { code: string; units: number; before: number | null }[];
  locations: { warehouseNo: number; location: string; before: string | null }[];
}

export type ImportOutcome =
  /** Nothing was changed. */
  | { kind: 'refused'; mistakes: RowMistake[]; changes: ImportedChange[] }
  /** `changes` has the products that differ from the file. */
  | { kind: 'imported'; rows: number; products: number; changes: ImportedChange[] };

/** Creates the products of a file, adds their codes and sets facts and locations: all or none. A trial changes nothing. */
export async function importProducts(
  database: Database,
  { accountId, file, isTrial }: { accountId: number; file: ProductFile; isTrial: boolean },
): Promise<ImportOutcome> {
  // Lines without mistakes of their own are compared with the data too, so that one look shows all mistakes.
  const differences = await findDifferences(database, accountId, file.changes);
  const outcome = await changeProducts(database, {
    accountId,
    changes: file.changes.map(toProductChange),
    addsCodes: true,
    isTrial: isTrial || file.mistakes.length > 0,
  });
  const refused = outcome.kind === 'refused' ? await atLines(database, accountId, file, outcome.mistakes) : [];
  const mistakes = [...file.mistakes, ...refused].toSorted((one, other) => one.row - other.row);
  if (mistakes.length > 0) return { kind: 'refused', mistakes, changes: differences };
  return { kind: 'imported', rows: file.rows, products: file.changes.length, changes: differences };
}

async function findDifferences(
  database: Database,
  accountId: number,
  changes: PlacedChange[],
): Promise<ImportedChange[]> {
  const skuIds = changes.map(({ skuId }) => skuId);
  return await database.read([accountId], async (sql) => {
    const products = new Map((await readProducts(sql, accountId, skuIds)).map((product) => [product.skuId, product]));
    const ids = [...products.values()].map(({ productId }) => productId);
    const [codes, locations] = await Promise.all([findCodes(sql, accountId, ids), findLocations(sql, accountId, ids)]);
    const unitsOf = new Map(codes.map(({ productId, code, units }) => [`${productId}/${code}`, units]));
    const placeOf = new Map(
      locations.map(({ productId, warehouseNo, location }) => [`${productId}/${warehouseNo}`, location]),
    );
    return changes.flatMap((change) => {
      const product = products.get(change.skuId) ?? null;
      const differing = differenceOf(
        change,
        product,
        (code) => unitsOf.get(`${product?.productId}/${code}`) ?? null,
        (warehouseNo) => placeOf.get(`${product?.productId}/${warehouseNo}`) ?? null,
      );
      return countChanges(differing) === 0 ? [] : [differing];
    });
  });
}

const countChanges = ({ facts, codes, locations }: ImportedChange) => facts.length + codes.length + locations.length;

function differenceOf(
  change: PlacedChange,
  product: Product | null,
  unitsBefore: (code: string) => number | null,
  locationBefore: (warehouseNo: number) => string | null,
): ImportedChange {
  const { skuId, codes, locations } = change;
  const facts = factsOf(change);
  const names = product === null ? (Object.keys(facts) as (keyof KnownFacts)[]) : changedFacts(product, facts);
  return {
    skuId,
    isNew: product === null,
    facts: names.map((name) => ({ name, before: product?.[name] ?? null, after: facts[name]! })),
    codes: codes
      .map(({ code, units }) => ({ code, units, before: unitsBefore(code) }))
      .filter(({ units, before }) => units !== before),
    locations: locations
      .map(({ warehouseNo, location }) => ({ warehouseNo, location, before: locationBefore(warehouseNo) }))
      .filter(({ location, before }) => location !== before),
  };
}

/** The mistakes at the lines of the file that they come from. */
async function atLines(
  database: Database,
  accountId: number,
  { changes }: ProductFile,
  mistakes: ProductMistake[],
): Promise<RowMistake[]> {
  const codes = changes.flatMap((change) => change.codes.map(({ code }) => code));
  const owners = await database.read([accountId], (sql) => findCodeOwners(sql, accountId, codes));
  return mistakes.map((mistake) => atLine(changes[mistake.index]!, mistake, owners));
}

function atLine(change: PlacedChange, mistake: ProductMistake, owners: Map<string, string>): RowMistake {
  const { skuId: sku, line } = change;
  const at = (row: number, field: string, problem: Message) => ({ row, field, problem });
  switch (mistake.kind) {
    case 'unknown_product':
      return at(line, 'sku_id', importMistake('import_unknown_product', { sku }));
    case 'incomplete_product':
      return at(line, 'sku_id', importMistake('import_incomplete_product', { sku }));
    case 'too_many_codes':
      return at(line, 'code', importMistake('import_too_many_codes', { sku, max: codesPerProductMax }));
    case 'code_of_other': {
      const { code, line: place } = change.codes[mistake.codeIndex]!;
      return at(place, 'code', importMistake('import_code_of_other', { code, sku: owners.get(code) ?? '' }));
    }
    case 'unknown_warehouse': {
      const { warehouseNo, line: place } = change.locations[mistake.locationIndex]!;
      return at(place, 'warehouse_no', importMistake('import_unknown_warehouse', { warehouse: warehouseNo }));
    }
    case 'repeated_product':
    case 'repeated_code':
    case 'repeated_warehouse':
      throw new Error('the reader gathers the lines by product, and refuses those that contradict each other');
    default:
      return mistake satisfies never;
  }
}

/** The number of codes and locations that are new or different. */
export function countImported(changes: ImportedChange[]): { codes: number; locations: number } {
  return {
    codes: changes.reduce((sum, { codes }) => sum + codes.length, 0),
    locations: changes.reduce((sum, { locations }) => sum + locations.length, 0),
  };
}
