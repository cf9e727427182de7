import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, ExpiryDate, IdentifierOrEmpty, Qty } from '../../contract/values.ts';
import { inboundDetailsMax, inboundFields } from '../../contract/warehouse/inbound.ts';
import { errorMessage } from '../../messages/errors.ts';
import { importMistake } from '../../messages/import-texts.ts';
import { valueNames } from '../../messages/value-names.ts';
import type { CreateInboundOutcome } from '../domain/inbound/create-inbounds.ts';
import type { PlannedInbound } from '../domain/inbound/preview-inbounds.ts';
import type { DomainOperations } from '../domain/operations.ts';
import type { KnownAccount } from '../domain/partners/account-directory.ts';
import type { Cause } from '../domain/stock/movement.ts';
import { makeNormalizer } from '../platform/json/normalize.ts';
import { makeChecker } from '../platform/json/schema.ts';
import {
  givenFields,
  type ImportedRows,
  importedAs,
  type Reading,
  readDocuments,
  refusedBody,
  refusedRows,
  withBodyMistakes,
} from './import-documents.ts';
import {
  type ImportRow,
  makeNameReader,
  quantitiesOf,
  type RowMistake,
  type RowsOfDocument,
  readDay,
} from './import-rows.ts';
import { rejectedAt, unknownSkus, unknownTenant } from './rejection.ts';

const headFields = ['kind', 'outbound_short_id', 'estimated_arrival_time'];

/** The body of `inbound/create`, with the returned order of `inbound/return` and a batch, which only a file has. */
const InboundRowsBody = Type.Object({
  ...inboundFields,
  outbound_short_id: Clearable(CallerIdentifier),
  details: Type.Array(
    Type.Object({
      sku_id: CallerIdentifier,
      batch: Type.Optional(IdentifierOrEmpty(125)),
      expires: Type.Array(Type.Object({ expire_date: ExpiryDate, qty: Qty })),
    }),
    { minItems: 1, maxItems: inboundDetailsMax },
  ),
});
type InboundRowsBody = Static<typeof InboundRowsBody>;

interface PlannedRows {
  body: InboundRowsBody;
  planned: PlannedInbound;
}

const normalize = makeNormalizer(InboundRowsBody);
const check = makeChecker(InboundRowsBody);
const { en, 'zh-TW': zh } = valueNames;
const kinds = makeNameReader({
  inbound: [en.inboundKind.inbound, zh.inboundKind.inbound],
  return: [en.inboundKind.return, zh.inboundKind.return],
});

/** Reads the inbound documents and returns of a file by the rules of `inbound/create` and `inbound/return`. */
export function readInbounds(
  rows: ImportRow[],
  cellMistakes: RowMistake[],
  warehouseTpwId: string,
): Reading<PlannedRows>[] {
  const fields = { number: 'inbound_short_id', head: headFields };
  return readDocuments(rows, cellMistakes, fields, (document, known) => readInbound(document, known, warehouseTpwId));
}

function readInbound(document: RowsOfDocument, known: RowMistake[], warehouse_tpw_id: string): Reading<PlannedRows> {
  const { rows, head } = document;
  const { quantities, mistakes: wrongQuantities } = quantitiesOf(rows);
  const kind = readKind(document);
  const arrival = readArrival(document);
  const body = {
    inbound_short_id: document.number,
    warehouse_tpw_id,
    estimated_arrival_time: arrival.ms,
    outbound_short_id: head.outbound_short_id?.text ?? null,
    details: rows.map(({ values: { sku_id, expire_date, batch } }, index) => {
      const units = { expire_date: expire_date ? readDay(expire_date) : null, qty: quantities[index] };
      return givenFields({ sku_id, batch, expires: [units] });
    }),
  };
  const checked = check(normalize(body));
  const found = [...known, ...wrongQuantities, ...kind.mistakes, ...arrival.mistakes];
  const mistakes = withBodyMistakes(document, found, checked.kind === 'valid' ? [] : checked.mistakes);
  if (mistakes.length > 0 || checked.kind !== 'valid') return { kind: 'wrong', document, mistakes };
  return { kind: 'ready', document, body: checked.value, planned: plannedOf(checked.value, kind.kind) };
}

function plannedOf(body: InboundRowsBody, kind: 'inbound' | 'return'): PlannedInbound {
  return {
    partnerNumber: body.inbound_short_id,
    content: {
      kind,
      warehouseTpwId: body.warehouse_tpw_id,
      estimatedArrivalMs: body.estimated_arrival_time ?? null,
      originalOrderNumber: body.outbound_short_id ?? null,
      lines: body.details.map(({ sku_id, batch, expires: [units] }) => ({
        skuId: sku_id,
        expireDate: units!.expire_date || null,
        batchId: batch ?? '',
        qty: units!.qty,
      })),
    },
  };
}

function readKind({ head, rows }: RowsOfDocument): { kind: 'inbound' | 'return'; mistakes: RowMistake[] } {
  const given = head.kind;
  const kind = (given === undefined ? 'inbound' : kinds.read(given.text)) as 'inbound' | 'return' | undefined;
  const order = head.outbound_short_id;
  const mistakes: RowMistake[] = [];
  if (kind === undefined) {
    const problem = importMistake('import_one_of', { values: kinds.allowed });
    mistakes.push({ row: given!.row, field: 'kind', problem });
  } else if (kind === 'return' && order === undefined) {
    const problem = importMistake('import_return_without_order');
    mistakes.push({ row: rows[0]!.row, field: 'outbound_short_id', problem });
  } else if (kind === 'inbound' && order !== undefined) {
    const problem = importMistake('import_order_without_return');
    mistakes.push({ row: order.row, field: 'outbound_short_id', problem });
  }
  return { kind: kind ?? 'inbound', mistakes };
}

/** A day or a time in Taipei. */
function readArrival({ head }: RowsOfDocument): { ms: number | null; mistakes: RowMistake[] } {
  const given = head.estimated_arrival_time;
  if (given === undefined) return { ms: null, mistakes: [] };
  const [, day = '', time = '00:00'] = /^(\S+?)(?:[ T](\d{1,2}:\d\d)(?::\d\d)?)?$/.exec(given.text) ?? [];
  const date = readDay(day);
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T${time.padStart(5, '0')}:00+08:00`) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  const isReal = !Number.isNaN(ms) && new Date(ms + 8 * 3_600_000).toISOString().startsWith(date);
  if (isReal) return { ms, mistakes: [] };
  const problem = importMistake('import_arrival');
  return { ms: null, mistakes: [{ row: given.row, field: 'estimated_arrival_time', problem }] };
}

/** What creating the documents would do now. */
export async function previewInboundRows(
  { previewInbounds }: Pick<DomainOperations, 'previewInbounds'>,
  readings: Reading<PlannedRows>[],
  asked: { account: KnownAccount; warehouseTpwId: string },
): Promise<ImportedRows[]> {
  const documents = readings.filter((one) => one.kind === 'ready');
  const previews = await previewInbounds({ ...asked, documents: documents.map(({ planned }) => planned) });
  const previewOf = new Map(documents.map(({ document }, index) => [document, previews[index]!]));
  return readings.map((reading) => {
    const { document } = reading;
    if (reading.kind === 'wrong') return refusedRows(document, reading.mistakes);
    const preview = previewOf.get(document)!;
    return preview.kind === 'creatable' ? importedAs('created', document) : describeOutcome(reading, preview);
  });
}

/** Creates a document as `inbound/create` does. */
export async function importInbound(
  { submitInbound }: Pick<DomainOperations, 'submitInbound'>,
  reading: Reading<PlannedRows>,
  { account, cause }: { account: KnownAccount; cause: Cause },
): Promise<ImportedRows> {
  if (reading.kind === 'wrong') return refusedRows(reading.document, reading.mistakes);
  const outcome = await submitInbound({ ...reading.planned, account, cause });
  return outcome.kind === 'created' ? importedAs('created', reading.document) : describeOutcome(reading, outcome);
}

function describeOutcome(
  { document, body }: PlannedRows & { document: RowsOfDocument },
  outcome: Exclude<CreateInboundOutcome, { kind: 'created' }>,
): ImportedRows {
  return outcome.kind === 'repeated'
    ? importedAs(outcome.payloadDiffers ? 'differs' : 'known', document)
    : refusedBody(document, rejectionOf(outcome, body).mistakes);
}

function rejectionOf(
  outcome: Exclude<CreateInboundOutcome, { kind: 'created' | 'repeated' }>,
  { details }: InboundRowsBody,
) {
  switch (outcome.kind) {
    case 'unknown_tenant':
      return unknownTenant();
    case 'unknown_skus':
      return unknownSkus(details, outcome.skuIds);
    case 'too_many_units': {
      const index = details.findIndex(({ sku_id }) => sku_id === outcome.skuId);
      const message = errorMessage('too_many_units', { sku_id: outcome.skuId, max: outcome.unitsMax });
      return rejectedAt(['details', index, 'qty'], message);
    }
    default:
      return outcome satisfies never;
  }
}
