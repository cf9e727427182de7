import { formatMessage } from '../messages/format-message.ts';
import { importColumns } from '../messages/import-columns.ts';
import { productFileRowsMax, readProductFile } from '../server/api/import-product-rows.ts';
import { countImported, type ImportOutcome, importProducts } from '../server/api/import-products.ts';
import { exitCodes, Failure, makeCommand } from './command-line.ts';
import { readInputText } from './input-file.ts';
import { recorded } from './record-command.ts';
import { accountOf, accountOption } from './stock-options.ts';
import { storeCommand } from './store-command.ts';

const columnNames = importColumns.products.map(({ name }) => name).join(', ');

/** `lading products`: barcodes and locations of products. */
export function productsCommand() {
  const group = makeCommand('products').description('import barcodes and locations of products');
  group.addCommand(importCommand());
  return group;
}

function importCommand() {
  return storeCommand(
    'import',
    'add barcodes and set locations from a CSV file: all rows or none',
    async ({ database }, _config, file: string, options: { account: string; dryRun?: boolean }) => {
      const text = readInputText(file);
      const accountId = await accountOf(database, options.account);
      const isTrial = options.dryRun ?? false;
      const work = () => importProducts(database, { accountId, file: readProductFile(text), isTrial });
      const entry = { action: 'products/import', orderId: null, accountNo: options.account, details: { file } };
      return resultOf(isTrial ? await work() : await recorded(database, entry, work), isTrial);
    },
  )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(accountOption('whose products').makeOptionMandatory())
    .option('--dry-run', 'check the file and show what it would change')
    .addHelpText(
      'after',
      `
The first line names the columns: ${columnNames}.
Only sku_id is required. Each row has a code (units: how many units one scan means, default 1), a location in a
warehouse, or a fact such as the name. A product that does not exist needs name and storage_type. Codes that are not in
the file stay. Fields are separated by commas, semicolons or tabs; at most ${productFileRowsMax} rows.`,
    );
}

function resultOf(outcome: ImportOutcome, isTrial: boolean) {
  if (outcome.kind === 'refused') {
    const details = outcome.mistakes.map(({ row, problem }) => `line ${row}: ${formatMessage(problem)}`);
    throw new Failure(exitCodes.refused, 'nothing was imported:', details);
  }
  const { rows, products, changes } = outcome;
  const { codes, locations } = countImported(changes);
  const done = isTrial ? 'would be changed' : 'changed';
  return {
    json: { rows, products, changed_products: changes.length, changed_codes: codes, changed_locations: locations },
    text: `${rows} rows of ${products} products; ${done}: ${changes.length} products (${codes} codes, ${locations} locations)`,
  };
}
