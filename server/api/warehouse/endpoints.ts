import type { Endpoint } from '../contract.ts';
import { inboundCancel } from './inbound-cancel.ts';
import { inboundCreate } from './inbound-create.ts';
import { inboundReturn } from './inbound-return.ts';
import { outboundCancel } from './outbound-cancel.ts';
import { outboundCreate } from './outbound-create.ts';
import { productSync } from './product-sync.ts';
import { stockQuery } from './stock-query.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

type Takes<Make extends (operation: never) => unknown> = Parameters<Make>[0];

/** What this contract needs to have done. */
export interface WarehouseOperations {
  syncProduct: Takes<typeof productSync>;
  takeInbound: Takes<typeof inboundCreate>;
  cancelInbounds: Takes<typeof inboundCancel>;
  takeOrder: Takes<typeof outboundCreate>;
  cancelOrders: Takes<typeof outboundCancel>;
  queryStock: Takes<typeof stockQuery>;
}

/** F-1 to F-7. */
export function warehouseEndpoints(operations: WarehouseOperations): Endpoint<WarehouseCaller>[] {
  return [
    productSync(operations.syncProduct),
    inboundCreate(operations.takeInbound),
    inboundReturn(operations.takeInbound),
    inboundCancel(operations.cancelInbounds),
    outboundCreate(operations.takeOrder),
    outboundCancel(operations.cancelOrders),
    stockQuery(operations.queryStock),
  ];
}
