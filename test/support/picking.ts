import { randomUUID } from 'node:crypto';
import { pickingBatch, pickingClaim, pickingConfirm, pickingFinish } from '../../contract/console/picking.ts';
import { permissions } from '../../server/domain/partners/provisioning.ts';
import type { TestApp } from './app.ts';
import type { ConsoleUser } from './console.ts';
import { live } from './live.ts';
import { retvalOf } from './main.ts';
import type { Lines } from './warehouse.ts';
import { orderBody, orderRow } from './warehouse.ts';

/** A second production account in the same warehouse. */
export const other = {
  accountNo: 'OTHER',
  secret: 'other-secret-of-thirty-two-characters-or-more',
  warehouseTpwId: 'TPW-OTHER',
  clientId: 'other-wms',
  checkValue: 'other-check-value-of-thirty-two-characters-or-more',
};

export async function provisionOther(app: TestApp): Promise<void> {
  const tenants = [
    { warehouse_tpw_id: other.warehouseTpwId, warehouse_no: 1, store_no: 10, receiving: 'on_create' as const },
  ];
  await app.provision({
    accounts: [{ account_no: other.accountNo, environment: 'production', secret: other.secret, tenants }],
    clients: [
      {
        client_id: other.clientId,
        check_value: other.checkValue,
        account_no: other.accountNo,
        permissions: [...permissions],
      },
    ],
  });
}

type Partner = Pick<typeof live, 'accountNo' | 'secret' | 'warehouseTpwId' | 'clientId' | 'checkValue'>;

/** An order of a production account; its id. */
export async function ordered(
  app: TestApp,
  number: string,
  lines: Lines,
  { caller = live as Partner, ...fields }: { caller?: Partner; logistics_type?: string; express_type?: string } = {},
): Promise<number> {
  retvalOf(await app.callMain('/orders/create', { ...orderBody(number, lines, caller), ...fields }, { as: caller }));
  return Number((await orderRow(app, number))!.order_id);
}

/** Barcodes, units per carton and the location in warehouse 1 of a product. */
export async function labelled(
  app: TestApp,
  sku_id: string,
  { location, ean, carton }: { location?: string; ean?: string; carton?: [code: string, units: number] },
  caller: Partner = live,
): Promise<void> {
  const codes = [
    ...(ean === undefined ? [] : [{ code: ean, units: 1 }]),
    ...(carton === undefined ? [] : [{ code: carton[0], units: carton[1] }]),
  ];
  const product = {
    sku_id,
    codes,
    ...(location === undefined ? {} : { locations: [{ warehouse_no: 1, location }] }),
  };
  retvalOf(await app.callMain('/products/update', { products: [product] }, { as: caller }));
}

/** Claims these orders; the batch. */
export async function claimed(user: ConsoleUser, order_ids: number[], warehouse_no = 1): Promise<number> {
  const answer = await user.ask(pickingClaim, { claim_id: randomUUID(), warehouse_no, order_ids });
  if (answer.kind !== 'claimed') throw new Error(answer.kind);
  return answer.batch_id;
}

export async function scan(user: ConsoleUser, batch_id: number, code: string, times = 1) {
  return await user.ask(pickingConfirm, { batch_id, scan_id: randomUUID(), code, times });
}

/** Confirms everything that is left of a batch, line by line. */
export async function pickAll(user: ConsoleUser, batch_id: number): Promise<void> {
  const { lines } = await user.ask(pickingBatch, { batch_id });
  for (const { account_no, lot_id, slots } of lines) {
    const times = slots.reduce((sum, { qty, picked, short }) => sum + qty - picked - short, 0);
    if (times > 0)
      await user.ask(pickingConfirm, { batch_id, scan_id: randomUUID(), line: { account_no, lot_id }, times });
  }
}

export async function finish(user: ConsoleUser, batch_id: number, give_back = false) {
  return await user.ask(pickingFinish, { batch_id, give_back });
}
