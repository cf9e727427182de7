import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  importLinesShownMax,
  type ProductImportAnswer,
  productImport,
  productImportPreview,
} from '../../../contract/console/products.ts';
import { countImported, type ImportOutcome, importProducts } from '../import-products.ts';
import { readProductFile } from '../product-file.ts';
import { type ConsoleCaller, type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { refuseOtherWarehouses } from './own-warehouses.ts';

const skusAuditedMax = 100;

/** Import of codes and locations: first a preview, then the change. */
export function productImportEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    consoleEndpoint(productImportPreview, {
      role: 'staff',
      warehouses: 'own',
      audit: null,
      handle: (caller, body) => run(parts, caller, body, true),
    }),
    consoleEndpoint(productImport, {
      role: 'staff',
      warehouses: 'own',
      audit: ({ account_no, text }) => {
        const { rows, changes } = readProductFile(text);
        const skus = changes.slice(0, skusAuditedMax).map(({ skuId }) => skuId);
        return { accountNo: account_no, details: { rows, products: changes.length, skus } };
      },
      handle: (caller, body) => run(parts, caller, body, false),
    }),
  ];
}

async function run(
  { database, directory }: ConsoleParts,
  caller: ConsoleCaller,
  { account_no, text }: BodyOf<typeof productImport>,
  isTrial: boolean,
): Promise<ProductImportAnswer> {
  const locations = readProductFile(text).changes.flatMap((change) => change.locations);
  refuseOtherWarehouses(
    caller,
    locations.map(({ warehouseNo }) => warehouseNo),
  );
  const [accountId] = await accountIdsOf(directory, [account_no]);
  return toAnswer(await importProducts(database, { accountId: accountId!, text, isTrial }));
}

function toAnswer(outcome: ImportOutcome): ProductImportAnswer {
  if (outcome.kind === 'refused') {
    const { mistakes } = outcome;
    return { kind: 'refused', mistakes: mistakes.slice(0, importLinesShownMax), mistake_count: mistakes.length };
  }
  const { rows, products, changes } = outcome;
  const { codes, locations } = countImported(changes);
  return {
    ...{ kind: 'imported', rows, products },
    ...{ changed_products: changes.length, changed_codes: codes, changed_locations: locations },
    changes: changes.slice(0, importLinesShownMax).map((change) => ({
      sku_id: change.skuId,
      codes: change.codes,
      locations: change.locations.map(({ warehouseNo, location, before }) => ({
        warehouse_no: warehouseNo,
        location,
        before,
      })),
    })),
  };
}
