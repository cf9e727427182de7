import { setTimeout as sleep } from 'node:timers/promises';
import { faultAccount, faultWarehouse } from '../faults/child-process.ts';

const detailsPerDocument = 250;

/** More units than any run needs. */
export const plenty = 1_000_000_000;

/** Creates products and their stock through the API, in this order; one lot per expiry date. */
export async function stockUp(url: string, skuIds: string[], expireDates: string[], qtyEach: number): Promise<void> {
  const warehouse = faultWarehouse({ url });
  for (const skuId of skuIds)
    await warehouse.productSync({ sku_id: skuId, sku_name: `Bench ${skuId}`, storage_type: 1 });

  for (let first = 0; first < skuIds.length; first += detailsPerDocument) {
    await warehouse.inboundCreate({
      inbound_short_id: `BENCH-IN-${skuIds[first]}`,
      warehouse_tpw_id: faultAccount.tenant,
      details: skuIds.slice(first, first + detailsPerDocument).map((sku_id) => ({
        sku_id,
        expires: expireDates.map((expire_date) => ({ expire_date, qty: qtyEach })),
      })),
    });
  }
  // Pending writes of the preparation (request log, statistics) finish before the measurement starts.
  await sleep(500);
}
