import type { InboundsReceiveBody } from '../../sdk/client.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import type { TestAnswer, TestApp, TokenCaller } from './app.ts';
import { type Body, form, formPath, take } from './logistics.ts';
import { lists, retvalOf, searchAll } from './main.ts';
import { dataOf, inboundBody, syncProducts, type Units } from './warehouse.ts';

/** A production account, whose documents wait for the warehouse's word. */
export const prod = {
  accountNo: 'PROD',
  secret: 'prod-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-P',
  clientId: 'prod-erp',
  checkValue: 'prod-check-value-of-thirty-two-characters-or-more',
  apiKey: 'prod-api-key-of-thirty-two-characters-or-more',
};
/** Its tenant and its key under which a tenth more is accepted; and a key under which all arrives with the form. */
export const prodTenth = {
  ...prod,
  warehouseTpwId: 'TPW-P10',
  apiKey: 'prod-api-key-10-of-thirty-two-characters-or-more',
};
export const prodAtOnce = {
  ...prod,
  warehouseTpwId: 'TPW-P-NOW',
  apiKey: 'prod-api-key-now-of-thirty-two-characters-or-more',
};
export const prodReader = {
  clientId: 'prod-reader',
  checkValue: 'prod-reader-check-value-of-thirty-two-characters-or-more',
};

export async function provisionReceiving(app: TestApp): Promise<void> {
  const place = { warehouse_no: 1, store_no: 10 };
  await app.provision({
    accounts: [
      {
        account_no: prod.accountNo,
        environment: 'production',
        secret: prod.secret,
        tenants: [
          { warehouse_tpw_id: prod.warehouseTpwId, ...place },
          { warehouse_tpw_id: prodTenth.warehouseTpwId, ...place, over_delivery_percent: 10 },
          { warehouse_tpw_id: prodAtOnce.warehouseTpwId, ...place, receiving: 'on_create' },
        ],
      },
    ],
    clients: [
      {
        client_id: prod.clientId,
        check_value: prod.checkValue,
        account_no: prod.accountNo,
        permissions: [...permissions],
      },
      {
        client_id: prodReader.clientId,
        check_value: prodReader.checkValue,
        account_no: prod.accountNo,
        permissions: permissions.filter((permission) => permission !== 'inbounds.write'),
      },
    ],
    logistics_keys: [
      { name: 'wms', key: prod.apiKey, account_no: prod.accountNo, ...place },
      { name: 'tenth', key: prodTenth.apiKey, account_no: prod.accountNo, ...place, over_delivery_percent: 10 },
      { name: 'now', key: prodAtOnce.apiKey, account_no: prod.accountNo, ...place, receiving: 'on_create' },
    ],
  });
}

export const expiry = '2030-01-01';

/** A detail of a receipt: good, of no batch, and with an expiry date. */
export function units(sku_id: string, qty: number, other: Body = {}): InboundsReceiveBody['details'][number] {
  return { sku_id, expire_date: expiry, qty, stock_type: 'good', ...other };
}

/** A document of the warehouse API that announces these units, or a return. */
export async function announce(
  app: TestApp,
  number: string,
  stock: Record<string, number>,
  { caller = prod, original }: { caller?: typeof prod; original?: string } = {},
): Promise<string> {
  await syncProducts(app, Object.keys(stock), caller);
  const lines = Object.fromEntries(Object.entries(stock).map(([sku, qty]): [string, Units] => [sku, [[expiry, qty]]]));
  const body = inboundBody(number, lines, caller);
  dataOf(
    await (original === undefined
      ? app.callWarehouse('/inbound/create', body, caller)
      : app.callWarehouse('/inbound/return', { ...body, outbound_short_id: original }, caller)),
  );
  return number;
}

/** A form of the logistics webhook that announces these units. */
export async function announceForm(
  app: TestApp,
  number: string,
  stock: Record<string, number>,
  other: Body = {},
  apiKey = prod.apiKey,
) {
  const products = Object.entries(stock).map(([sku, quantity]) => ({ sku, quantity }));
  await take(app, formPath, form(number, products, other), apiKey);
  return number;
}

export type Named = { inbound_short_id: string } | { form_no: string };

export function receiveCall(app: TestApp, body: unknown, as: TokenCaller = prod): Promise<TestAnswer> {
  return app.callMain('/inbounds/receive', body, { as });
}

/** A receipt that must be accepted; what is answered. */
export async function receiveUnits(
  app: TestApp,
  name: Named,
  details: object[],
  other: Body = {},
  as: TokenCaller = prod,
) {
  return retvalOf<{ status: string; idempotent: boolean }>(await receiveCall(app, { ...name, details, ...other }, as));
}

export async function stopDocument(app: TestApp, name: Named, as: TokenCaller = prod) {
  return retvalOf<{ status: string; idempotent: boolean }>(await app.callMain('/inbounds/stop', name, { as }));
}

export async function cancelDocuments(
  app: TestApp,
  body: { inbound_short_ids?: string[]; form_nos?: string[] },
  as: TokenCaller = prod,
) {
  return retvalOf<{ results: object[] }>(await app.callMain('/inbounds/cancel', body, { as })).results;
}

/** A document as the list shows it. */
export async function documentOf(
  app: TestApp,
  name: Named,
  as: TokenCaller = prod,
): Promise<Record<string, ReturnType<typeof JSON.parse>>> {
  const [[field, number]] = Object.entries(name) as [[string, string]];
  const [row] = await searchAll(app, lists.inbounds, { [`inbounds.${field}`]: number }, as);
  return row!;
}

/** The events of a document, with their actors. */
export async function eventsOf(app: TestApp, name: Named): Promise<unknown[][]> {
  const { timeline } = await documentOf(app, name);
  return timeline.map(({ event, from, to, by }: Record<string, unknown>) => [event, from, to, by]);
}
