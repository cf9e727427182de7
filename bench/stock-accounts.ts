import { benchAccount } from './bench-accounts.ts';
import { fewSkuIds } from './order-shapes.ts';
import { sendAll } from './send-all.ts';
import { signedRequest } from './signed-request.ts';
import { plenty } from './stock-up.ts';

/** Creates products and stock for the accounts after the first one; through the API, which all versions share. */
export async function stockUpOtherAccounts(port: number, count: number): Promise<void> {
  const accounts = Array.from({ length: count - 1 }, (_, index) => benchAccount(index + 1));
  const products = accounts.flatMap((account) =>
    fewSkuIds.map((sku_id) =>
      signedRequest('product/sync', { sku_id, sku_name: `Bench ${sku_id}`, storage_type: 1 }, account),
    ),
  );
  await sendAll(port, products);

  const details = fewSkuIds.map((sku_id) => ({ sku_id, expires: [{ expire_date: '2099-12-31', qty: plenty }] }));
  const documents = accounts.map((account) => {
    const body = { inbound_short_id: `BENCH-IN-${account.accountNo}`, warehouse_tpw_id: account.tenant, details };
    return signedRequest('inbound/create', body, account);
  });
  await sendAll(port, documents);
}
