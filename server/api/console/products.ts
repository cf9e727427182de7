import type { BodyOf } from '../../../contract/console/console-call.ts';
import { storageTypes } from '../../../contract/console/console-values.ts';
import {
  type ProductChangeMistake,
  type ProductRow,
  productChange,
  productDetail,
  productsSearch,
} from '../../../contract/console/products.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { findWarehousesInUse } from '../../domain/partners/warehouse-queries.ts';
import type { ProductMistake } from '../../domain/products/change-products.ts';
import { findCodeOwners, findScannedAnywhere } from '../../domain/products/product-code-queries.ts';
import { type FoundProduct, findProduct, findProducts } from '../../domain/products/product-search-queries.ts';
import { sumShelves } from '../../domain/stock/stock-search-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { pick } from '../../platform/pick.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import type { Search } from '../../platform/postgres/keyset-search.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { listPage, sortBy, wholeDays } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOwn, refuseOtherWarehouses } from './own-warehouses.ts';
import { judgingOfOne, skuCondition, toShelf } from './stock.ts';

export function productEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [productsSearchCall(parts), productDetailCall(parts), productChangeCall(parts)];
}

function productsSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  async function idsScanned(reads: Reader, code: string): Promise<number[]> {
    const found = await reads.read(noAccounts, (sql) => findScannedAnywhere(sql, code));
    return found.map(({ productId }) => productId);
  }

  return consoleEndpoint(productsSearch, {
    role: 'read-only',
    warehouses: 'any',
    audit: null,
    isList: true,
    async handle(caller, body) {
      const { code } = body;
      const scanned: Search['filters'] =
        code === undefined ? {} : { product_id: { anyOf: await idsScanned(caller.reads, code) } };
      const question = {
        list: 'products',
        filters: { ...scanned, ...filtersOf(body) },
        sort: sortOf(body),
        tabs: { field: 'storage_type', values: [...storageTypes, 'unspecified'] },
      };
      return await listPage(parts, caller, body, question, findProducts, (found, accountNoOf) =>
        toProduct(found, accountNoOf(found.account_id)),
      );
    },
  });
}

const sortFields = {
  sku: { field: 'sku_id', descending: false },
  name: { field: 'name', descending: false },
  created: { field: 'created_at', descending: true },
  updated: { field: 'updated_at', descending: true },
} as const;

/** Without a sort, a range or a prefix decides on the order. */
function sortOf({ sort, reversed }: BodyOf<typeof productsSearch>): Search['sort'] {
  if (sort === undefined && !reversed) return null;
  return sortBy(sortFields[sort ?? 'sku'], reversed);
}

function toProduct(product: FoundProduct, account_no: string): ProductRow {
  return {
    account_no,
    ...pick(product, 'product_id, sku_id, name, storage_type, length_cm, width_cm, height_cm, weight_kg'),
    ...pick(product, 'codes, locations, created_at, updated_at'),
  };
}

function filtersOf(body: BodyOf<typeof productsSearch>): Search['filters'] {
  const { sku_id, sku_prefix, name_prefix, storage_type, updated_from, updated_to } = body;
  const updated_at = wholeDays(updated_from, updated_to);
  return {
    ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
    ...(name_prefix === undefined ? {} : { name: { prefix: name_prefix } }),
    ...(updated_at && { updated_at }),
    ...(storage_type === undefined ? {} : { storage_type: { anyOf: [storage_type] } }),
  };
}

function productDetailCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(productDetail, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { product_id }) {
      const product = await productOfId(parts, product_id);
      const { rules, accountNoOf } = await judgingOfOne(parts, product.account_id);
      const key = { accountId: product.account_id, productId: product_id };
      const [shelves, warehouses] = await database.read([key.accountId], (sql) =>
        Promise.all([sumShelves(sql, [key], rules), findWarehousesInUse(sql, key.accountId)]),
      );
      return {
        product: toProduct(product, accountNoOf(product.account_id)),
        shelves: shelves.filter(({ warehouse_no }) => isOwn(caller, warehouse_no)).map(toShelf),
        warehouses: warehouses.filter(({ warehouse_no }) => isOwn(caller, warehouse_no)),
      };
    },
  });
}

async function productOfId({ database }: ConsoleParts, productId: number): Promise<FoundProduct> {
  const product = await database.read(noAccounts, (sql) => findProduct(sql, productId));
  if (product === null) throw noSuchProduct();
  return product;
}

function noSuchProduct(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: rejection('no_such_product') });
}

function productChangeCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database, operations } = parts;
  return consoleEndpoint(productChange, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ product_id, codes, locations }) => ({
      subject: `product ${product_id}`,
      details: {
        codes: codes.map(({ code, units }) => (units === 1 ? code : `${code} (${units})`)),
        locations: locations.map(({ warehouse_no, location }) => `${warehouse_no}: ${location}`),
      },
    }),
    async handle(caller, body) {
      refuseOtherWarehouses(
        caller,
        body.locations.map(({ warehouse_no }) => warehouse_no),
      );
      const { account_id: accountId, sku_id: skuId } = await productOfId(parts, body.product_id);
      const locations = body.locations.map(({ warehouse_no, location }) => ({ warehouseNo: warehouse_no, location }));
      const outcome = await operations.changeProducts({
        accountId,
        changes: [{ skuId, codes: body.codes, locations }],
      });
      if (outcome.kind === 'changed') return outcome;
      const codes = body.codes.map(({ code }) => code);
      const owners = await database.read([accountId], (sql) => findCodeOwners(sql, accountId, codes));
      return { kind: 'refused' as const, mistakes: outcome.mistakes.map((one) => toMistake(one, body, owners)) };
    },
  });
}

function toMistake(
  mistake: ProductMistake,
  { codes, locations }: BodyOf<typeof productChange>,
  owners: Map<string, string>,
): ProductChangeMistake {
  switch (mistake.kind) {
    case 'code_of_other': {
      const { code } = codes[mistake.codeIndex]!;
      return { kind: mistake.kind, code, sku_id: owners.get(code) ?? '' };
    }
    case 'repeated_code':
      return { kind: mistake.kind, code: codes[mistake.codeIndex]!.code };
    case 'unknown_warehouse':
    case 'repeated_warehouse':
      return { kind: mistake.kind, warehouse_no: locations[mistake.locationIndex]!.warehouse_no };
    case 'unknown_product':
    case 'incomplete_product':
    case 'repeated_product':
      throw noSuchProduct();
    case 'too_many_codes':
      throw new Error('the schema limits the codes of a product, and the request replaces them');
    default:
      return mistake satisfies never;
  }
}
