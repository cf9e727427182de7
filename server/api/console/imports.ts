import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  type ImportAnswer,
  type ImportedDocument,
  importsCheck,
  importsColumns,
  importsRun,
} from '../../../contract/console/imports.ts';
import type { Incoming } from '../../http/incoming.ts';
import { makeCourteousPace } from '../../platform/limits/courteous-pace.ts';
import { type ImportedRows, withUnknownSkus } from '../import-documents.ts';
import { importInbound, previewInboundRows, readInbounds } from '../import-inbounds.ts';
import { importOrder, previewOrderRows, readOrders } from '../import-orders.ts';
import { readTitles } from '../import-rows.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { type Block, readBlock } from './imports-block.ts';
import { checkProducts } from './imports-products.ts';

/** Documents that are sent to their operation at once: they share a transaction, and others wait for few. */
const documentsAtOnce = 25;

/** Import of products, inbound documents and orders: first a preview, then the change, both block by block. */
export function importEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    consoleEndpoint(importsColumns, {
      role: 'staff',
      warehouses: 'any',
      audit: null,
      handle: async (_caller, { kind, titles }) => findColumns(kind, titles),
    }),
    consoleEndpoint(importsCheck, {
      role: 'staff',
      warehouses: 'own',
      audit: null,
      handle: async (caller, body) => {
        const block = await readBlock(parts, caller, body);
        const taken = new Map((body.taken ?? []).map(({ sku_id, qty }) => [sku_id, qty]));
        return await check(parts, caller, block, taken);
      },
    }),
    consoleEndpoint(importsRun, {
      role: 'staff',
      warehouses: 'own',
      audit: ({ kind, account_no, warehouse_tpw_id, import_id, file_name, part, parts: of, rows }) => ({
        subject: `import ${import_id}`,
        accountNo: account_no,
        details: { kind, ...(warehouse_tpw_id && { warehouse_tpw_id }), file: file_name, part, of, rows: rows.length },
      }),
      outcome: describeCounts,
      handle: async (caller, body, request) => run(parts, caller, await readBlock(parts, caller, body), request),
    }),
  ];
}

function findColumns(kind: BodyOf<typeof importsColumns>['kind'], titles: string[]) {
  const { columns, ignored, mistakes } = readTitles(kind, titles);
  if (mistakes.length > 0) return { kind: 'refused' as const, mistakes };
  const key = { products: 'sku_id', inbound: 'inbound_short_id', orders: 'outbound_short_id' }[kind];
  return {
    kind: 'read' as const,
    key_column: columns.indexOf(key),
    sku_column: columns.indexOf('sku_id'),
    ignored,
  };
}

async function check(
  parts: ConsoleParts,
  caller: ConsoleCaller,
  block: Block,
  taken: ReadonlyMap<string, number>,
): Promise<ImportAnswer> {
  const { operations } = parts;
  const { rows, cellMistakes, warehouseTpwId } = block;
  const { accountId } = block.account;
  switch (block.kind) {
    case 'products':
      return { kind: 'checked', documents: await checkProducts(parts, caller, block, true), taken: [] };
    case 'inbound': {
      const readings = await withUnknownSkus(operations, accountId, readInbounds(rows, cellMistakes, warehouseTpwId));
      const documents = await previewInboundRows(operations, readings, block);
      return { kind: 'checked', documents: documents.map((one) => toDocument(one, block)), taken: [] };
    }
    case 'orders': {
      const readings = await withUnknownSkus(operations, accountId, readOrders(rows, cellMistakes, warehouseTpwId));
      const preview = await previewOrderRows(operations, readings, { ...block, taken });
      return {
        kind: 'checked',
        documents: preview.imported.map((one) => toDocument(one, block)),
        taken: [...preview.taken].map(([sku_id, qty]) => ({ sku_id, qty })),
      };
    }
    default:
      return block.kind satisfies never;
  }
}

async function run(parts: ConsoleParts, caller: ConsoleCaller, block: Block, request: Incoming): Promise<ImportAnswer> {
  const { operations } = parts;
  const { rows, cellMistakes, warehouseTpwId } = block;
  const { accountId } = block.account;
  const how = { account: block.account, cause: causeOf(caller, request) };
  const answer = (documents: ImportedDocument[]): ImportAnswer => ({ kind: 'imported', documents, taken: [] });
  switch (block.kind) {
    case 'products':
      return answer(await checkProducts(parts, caller, block, false));
    case 'inbound': {
      const readings = await withUnknownSkus(operations, accountId, readInbounds(rows, cellMistakes, warehouseTpwId));
      const imported = await fewAtOnce(readings, (one) => importInbound(operations, one, how));
      return answer(imported.map((one) => toDocument(one, block)));
    }
    case 'orders': {
      const readings = await withUnknownSkus(operations, accountId, readOrders(rows, cellMistakes, warehouseTpwId));
      const imported = await fewAtOnce(readings, (one) => importOrder(operations, one, how));
      return answer(imported.map((one) => toDocument(one, block)));
    }
    default:
      return block.kind satisfies never;
  }
}

async function fewAtOnce<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const pace = makeCourteousPace();
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += documentsAtOnce) {
    if (start > 0) await pace();
    results.push(...(await Promise.all(items.slice(start, start + documentsAtOnce).map(work))));
  }
  return results;
}

function toDocument({ document, units, outcome, mistakes }: ImportedRows, { titleOf }: Block): ImportedDocument {
  return {
    name: document.number,
    rows: document.rows.map(({ row }) => row),
    units,
    outcome,
    mistakes: mistakes.map(({ row, field, problem }) => ({ row, column: titleOf(field), problem })),
    change: null,
  };
}

/** For the audit log: `created 18, known 2`. */
function describeCounts({ documents }: ImportAnswer): string {
  const counts = Map.groupBy(documents, ({ outcome }) => outcome);
  const texts = (['created', 'changed', 'known', 'differs', 'refused'] as const).flatMap((outcome) => {
    const count = counts.get(outcome)?.length ?? 0;
    return count === 0 ? [] : [`${outcome} ${count}`];
  });
  return texts.join(', ') || 'known 0';
}
