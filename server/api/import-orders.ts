import { OutboundCreateBody, shipMethods } from '../../contract/warehouse/outbound-create.ts';
import { importMistake } from '../../messages/import-texts.ts';
import { valueNames } from '../../messages/value-names.ts';
import type { DomainOperations } from '../domain/operations.ts';
import type { PlannedOrder } from '../domain/orders/preview-orders.ts';
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
import { type ImportRow, makeNameReader, quantitiesOf, type RowMistake, type RowsOfDocument } from './import-rows.ts';
import { orderContentOf, type RejectedOrder, rejectionOfOrder } from './order-responses.ts';

const headFields = [
  'logistics_type',
  'express_type',
  ...['consignee_name', 'consignee_phone', 'consignee_zip', 'city', 'consignee_address'],
];

interface PlannedRows {
  body: OutboundCreateBody;
  planned: PlannedOrder;
}

const normalize = makeNormalizer(OutboundCreateBody);
const check = makeChecker(OutboundCreateBody);
const { en, 'zh-TW': zh } = valueNames;
const otherNames: Partial<Record<keyof typeof en.shipMethod, string[]>> = {
  home: ['宅配到府'],
  csvs: ['超取', '超商'],
  tcat: ['黑貓'],
  hct: ['新竹貨運', '竹運'],
  post: ['郵局', '郵寄'],
  pcsc: ['7-11', '統一超商'],
  family: ['全家便利商店', 'Family Mart'],
};
const namesOf = (values: readonly string[]) =>
  Object.fromEntries(
    (values as (keyof typeof en.shipMethod)[]).map((value) => [
      value,
      [en.shipMethod[value], zh.shipMethod[value], ...(otherNames[value] ?? [])],
    ]),
  );
const deliveries = makeNameReader(namesOf(Object.keys(shipMethods)));
const carriers = makeNameReader(namesOf(Object.values(shipMethods).flat()));

/** Reads the orders of a file by the rules of `orders/create`. */
export function readOrders(
  rows: ImportRow[],
  cellMistakes: RowMistake[],
  warehouseTpwId: string,
): Reading<PlannedRows>[] {
  const fields = { number: 'outbound_short_id', head: headFields };
  return readDocuments(rows, cellMistakes, fields, (document, known) => readOrder(document, known, warehouseTpwId));
}

function readOrder(document: RowsOfDocument, known: RowMistake[], warehouse_tpw_id: string): Reading<PlannedRows> {
  const { quantities, mistakes: wrongQuantities } = quantitiesOf(document.rows);
  const method = readShipMethod(document);
  const body = givenFields({
    outbound_short_id: document.number,
    warehouse_tpw_id,
    consignee_country: 'TW',
    ...method.fields,
    ...recipientOf(document),
    details: document.rows.map(({ values }, index) => givenFields({ sku_id: values.sku_id, qty: quantities[index] })),
  });
  const checked = check(normalize(body));
  const found = [...known, ...wrongQuantities, ...method.mistakes, ...lostZero(document)];
  const mistakes = withBodyMistakes(document, found, checked.kind === 'valid' ? [] : checked.mistakes);
  if (mistakes.length > 0 || checked.kind !== 'valid') return { kind: 'wrong', document, mistakes };
  const planned = { partnerNumber: document.number, content: orderContentOf(checked.value) };
  return { kind: 'ready', document, body: checked.value, planned };
}

/** The delivery is known from the carrier. */
function readShipMethod({ head, rows }: RowsOfDocument) {
  const given = { delivery: head.logistics_type, carrier: head.express_type };
  const express_type = given.carrier && carriers.read(given.carrier.text);
  const ofCarrier = Object.entries(shipMethods).find(([, those]) =>
    (those as readonly string[]).includes(express_type ?? ''),
  );
  const logistics_type = given.delivery ? deliveries.read(given.delivery.text) : ofCarrier?.[0];
  const wrong = (field: string, row: number, values: string) => ({
    row,
    field,
    problem: importMistake('import_one_of', { values }),
  });
  const mistakes: RowMistake[] = [];
  if (given.carrier === undefined)
    mistakes.push({ row: rows[0]!.row, field: 'express_type', problem: importMistake('import_missing') });
  else if (express_type === undefined) mistakes.push(wrong('express_type', given.carrier.row, carriers.allowed));
  if (given.delivery && logistics_type === undefined)
    mistakes.push(wrong('logistics_type', given.delivery.row, deliveries.allowed));
  const ofDelivery: readonly string[] = shipMethods[logistics_type as keyof typeof shipMethods] ?? [];
  if (given.carrier && express_type && given.delivery && logistics_type && !ofDelivery.includes(express_type))
    mistakes.push(wrong('express_type', given.carrier.row, makeNameReader(namesOf(ofDelivery)).allowed));
  // A wrong part is reported above; the check of the body needs a valid one.
  const fields = { logistics_type: logistics_type ?? 'home', express_type: express_type ?? 'tcat' };
  return { fields, mistakes };
}

function recipientOf({ head }: RowsOfDocument) {
  const text = (field: string) => head[field]?.text;
  const [city, address] = [text('city'), text('consignee_address')];
  const isInAddress = city !== undefined && address?.startsWith(city);
  return {
    consignee_name: text('consignee_name'),
    consignee_phone: text('consignee_phone'),
    consignee_zip: text('consignee_zip'),
    consignee_address: city === undefined || isInAddress ? address : `${city}${address ?? ''}`,
  };
}

/** A spreadsheet that takes a mobile phone number for a number drops its first digit. */
function lostZero({ head: { consignee_phone: phone } }: RowsOfDocument): RowMistake[] {
  if (phone === undefined || !/^9\d{8}$/.test(phone.text)) return [];
  return [{ row: phone.row, field: 'consignee_phone', problem: importMistake('import_lost_zero') }];
}

/** What creating the orders would do now, and the units that the new ones would take. */
export async function previewOrderRows(
  { previewOrders }: Pick<DomainOperations, 'previewOrders'>,
  readings: Reading<PlannedRows>[],
  asked: { account: KnownAccount; warehouseTpwId: string; taken: ReadonlyMap<string, number> },
): Promise<{ imported: ImportedRows[]; taken: Map<string, number> }> {
  const orders = readings.filter((one) => one.kind === 'ready');
  const previews = await previewOrders({ ...asked, orders: orders.map(({ planned }) => planned) });
  const previewOf = new Map(orders.map(({ document }, index) => [document, previews[index]!]));
  const taken = new Map<string, number>();
  const imported = readings.map((reading) => {
    if (reading.kind === 'wrong') return refusedRows(reading.document, reading.mistakes);
    const preview = previewOf.get(reading.document)!;
    if (preview.kind !== 'creatable') return describeOutcome(reading, preview);
    for (const { skuId, qty } of reading.planned.content.lines) taken.set(skuId, (taken.get(skuId) ?? 0) + qty);
    return importedAs('created', reading.document);
  });
  return { imported, taken };
}

/** Creates an order as `orders/create` does. */
export async function importOrder(
  { submitOrder }: Pick<DomainOperations, 'submitOrder'>,
  reading: Reading<PlannedRows>,
  { account, cause }: { account: KnownAccount; cause: Cause },
): Promise<ImportedRows> {
  if (reading.kind === 'wrong') return refusedRows(reading.document, reading.mistakes);
  const outcome = await submitOrder({ ...reading.planned, account, channel: 'main', cause });
  return outcome.kind === 'created' ? importedAs('created', reading.document) : describeOutcome(reading, outcome);
}

function describeOutcome(
  { document, body }: PlannedRows & { document: RowsOfDocument },
  outcome: RejectedOrder | { kind: 'repeated'; payloadDiffers: boolean },
): ImportedRows {
  return outcome.kind === 'repeated'
    ? importedAs(outcome.payloadDiffers ? 'differs' : 'known', document)
    : refusedBody(document, rejectionOfOrder(outcome, body).mistakes);
}
