import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultAccount, faultClient, faultKey, provisioningFile } from './child-process.ts';
import { reportedTenant, stockedSku } from './hostile-bodies.ts';

/** Only UAT accounts may ask for a diagnosis. */
export const diagnosedAccount = { accountNo: 'DIAGNOSED', secret: 'the-secret-of-the-diagnosed-account' };

const otherWarehouseNo = faultAccount.warehouseNo + 1;
const callbackUrl = 'https://partner.example/callbacks';

/** Adds a second warehouse for moves, documents that wait for a receipt, and an address for test callbacks. */
export function provisionEveryOperation(dataDir: string): void {
  const file = join(dataDir, provisioningFile);
  const provisioning = JSON.parse(readFileSync(file, 'utf8'));
  provisioning.warehouses.push({ warehouse_no: otherWarehouseNo });
  const [account] = provisioning.accounts;
  Object.assign(account, { callback_url: callbackUrl, callback_secret: faultKey.callbackSecret });
  const place = { warehouse_no: faultAccount.warehouseNo, store_no: 1, receiving: 'on_confirm' };
  account.tenants.push(
    { ...place, warehouse_tpw_id: reportedTenant },
    { ...place, warehouse_tpw_id: 'ELSEWHERE', warehouse_no: otherWarehouseNo },
  );
  const { receive_after_s: _, ...key } = provisioning.logistics_keys[0];
  provisioning.logistics_keys = [{ ...key, receiving: 'on_confirm' }];
  const { accountNo: account_no, secret } = diagnosedAccount;
  provisioning.accounts.push({ account_no, secret, environment: 'uat', tenants: [] });
  writeFileSync(file, JSON.stringify(provisioning));
}

const stockedLot = { expire_date: '2100-06-30', batch_id: '', stock_type: 'good' };

/** Values of fields that name something that exists. */
export const knownValues: Record<string, string | number> = {
  warehouse_no: faultAccount.warehouseNo,
  from_warehouse_no: faultAccount.warehouseNo,
  to_warehouse_no: otherWarehouseNo,
  sku_id: stockedSku,
  sku: stockedSku,
  ...stockedLot,
  warehouse_tpw_id: faultAccount.tenant,
  ClientId: faultClient.clientId,
  CheckValue: faultClient.checkValue,
};

/** The fields that name a document or a callback, with existing numbers. */
export type KnownNumbers = Record<(typeof numberFields)[number], string[]>;
export const numberFields = [
  'outbound_short_id',
  'inbound_short_id',
  'internal_name',
  'form_no',
  'document_no',
  'event_id',
] as const;

/** Sends a body that the service must accept. */
type Prepare = (operationId: string, body: object) => Promise<{ retval?: { rows?: { event_id: string }[] } }>;

const stockedUnits = 500_000_000_000;
const documentUnits = 1_000_000_000;

/** Creates stock and documents that every operation can still change, and returns their numbers. */
export async function prepareDocuments(
  prepare: Prepare,
  { round, count }: { round: number; count: number },
): Promise<KnownNumbers> {
  if (round === 0) await prepare('productSync', { sku_id: stockedSku, sku_name: 'Stocked', storage_type: 1 });
  const counted = {
    warehouse_no: faultAccount.warehouseNo,
    sku_id: stockedSku,
    counted: stockedUnits,
    reason: 'stock',
  };
  const lines = [
    { ...counted, ...stockedLot },
    { ...counted, stock_type: stockedLot.stock_type },
  ];
  await prepare('stocksAdjust', { reference_no: `STOCK-${round}`, lines });
  const numbersOf = (kind: string) => Array.from({ length: count }, (_, index) => `${kind}-${round}-${index}`);
  const numbers = { OUT: numbersOf('OUT'), IN: numbersOf('IN'), ORDER: numbersOf('ORDER'), FORM: numbersOf('FORM') };
  await Promise.all([
    ...numbers.OUT.map((number) => prepare('outboundCreate', orderNamed(number))),
    ...numbers.IN.map((number) => prepare('inboundCreate', inboundNamed(number))),
    ...numbers.ORDER.map((number) => prepare('shippingOrder', shippingOrderNamed(number))),
    ...numbers.FORM.map((number) => prepare('inboundForm', formNamed(number))),
  ]);
  const callbacks = await prepare('searchCallbacks', { page_size: count });
  return {
    outbound_short_id: numbers.OUT,
    inbound_short_id: numbers.IN,
    internal_name: numbers.ORDER,
    form_no: numbers.FORM,
    // An API key can name only documents of its channel.
    document_no: [...numbers.ORDER, ...numbers.FORM],
    event_id: (callbacks.retval?.rows ?? []).map((row) => row.event_id),
  };
}

function orderNamed(outbound_short_id: string): object {
  return {
    outbound_short_id,
    warehouse_tpw_id: faultAccount.tenant,
    consignee_country: 'TW',
    logistics_type: 'home',
    express_type: 'tcat',
    details: [{ sku_id: stockedSku, qty: 2 }],
  };
}

function inboundNamed(inbound_short_id: string): object {
  const { expire_date } = stockedLot;
  return {
    inbound_short_id,
    warehouse_tpw_id: reportedTenant,
    details: [{ sku_id: stockedSku, expires: [{ expire_date, qty: documentUnits }] }],
  };
}

function shippingOrderNamed(internal_name: string): object {
  return {
    internal_name,
    name: internal_name,
    customer_name: 'Lin',
    delivery_name: 'Lin',
    phone: '0900000000',
    delivery_charge: 0,
    products: [{ sku: stockedSku, quantity: 2, storage_type: 'ambient' }],
    callback_url: callbackUrl,
  };
}

function formNamed(form_no: string): object {
  return {
    form_no,
    internal_form_no: form_no,
    form_type: 1,
    shipping_type: 3,
    callback_url: callbackUrl,
    products: [{ sku: stockedSku, quantity: documentUnits }],
  };
}
