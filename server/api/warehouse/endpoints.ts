import type { DomainOperations } from '../../domain/operations.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { inboundCancel } from './inbound-cancel.ts';
import { inboundCreate } from './inbound-create.ts';
import { inboundReturn } from './inbound-return.ts';
import { outboundCancel } from './outbound-cancel.ts';
import { outboundCreate } from './outbound-create.ts';
import { productSync } from './product-sync.ts';
import { stockQuery } from './stock-query.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-1 to F-7. */
export function warehouseEndpoints(operations: DomainOperations): Endpoint<WarehouseCaller>[] {
  return [
    productSync(operations),
    inboundCreate(operations),
    inboundReturn(operations),
    inboundCancel(operations),
    outboundCreate(operations),
    outboundCancel(operations),
    stockQuery(operations),
  ];
}
