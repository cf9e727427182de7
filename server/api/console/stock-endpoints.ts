import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { productDetailCall } from './product-detail.ts';
import { productsSearchCall } from './products-search.ts';
import { stockAuditEndpoints } from './stock-audit.ts';
import { stockBySkuCall } from './stock-by-sku.ts';
import { stockCorrectCall } from './stock-correct.ts';
import { stockExpiringCall } from './stock-expiring.ts';
import { stockLotCall } from './stock-lot.ts';
import { stockRegradeCall } from './stock-regrade.ts';
import { stockSearchCall } from './stock-search.ts';
import { stockSkusCall } from './stock-skus.ts';
import { stockSummaryCall } from './stock-summary.ts';

/** Stock and products: lots, movements, corrections, audits. */
export function stockEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    stockSearchCall(parts),
    stockSummaryCall(parts),
    stockSkusCall(parts),
    stockBySkuCall(parts),
    stockLotCall(parts),
    stockCorrectCall(parts.database),
    stockRegradeCall(parts.database),
    stockExpiringCall(parts),
    ...stockAuditEndpoints(parts.database),
    productsSearchCall(parts),
    productDetailCall(parts),
  ];
}
