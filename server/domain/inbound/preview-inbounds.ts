import type { Database } from '../../platform/postgres/database.ts';
import { type AccountDirectory, findTenant, type KnownAccount } from '../partners/account-directory.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import type { CreateInboundOutcome } from './create-inbounds.ts';
import { type InboundContent, inboundDigest } from './inbound-document.ts';
import { findInboundsByNumber } from './inbound-queries.ts';

/** An inbound document of one account and one tenant that has not been sent yet. */
export interface PlannedInbound {
  partnerNumber: string;
  content: InboundContent;
}

export type InboundPreview = { kind: 'creatable' } | Exclude<CreateInboundOutcome, { kind: 'created' }>;

export type PreviewInbounds = (asked: {
  account: KnownAccount;
  warehouseTpwId: string;
  documents: PlannedInbound[];
}) => Promise<InboundPreview[]>;

/** Returns the outcome that each document would have if it was created now. It locks nothing. */
export function makePreviewInbounds(parts: {
  database: Database;
  directory: AccountDirectory;
  products: ProductDirectory;
}): PreviewInbounds {
  const { database, directory, products } = parts;
  return async ({ account, warehouseTpwId, documents }) => {
    const { accountId } = account;
    if ((await findTenant(directory, account, warehouseTpwId)) === null)
      return documents.map(() => ({ kind: 'unknown_tenant' }));
    const wanted = documents.map(({ partnerNumber }) => ({ accountId, partnerNumber }));
    const [found, withIds] = await Promise.all([
      database.read([accountId], (sql) => findInboundsByNumber(sql, wanted)),
      products.withProductIds(
        accountId,
        documents.flatMap(({ content }) => content.lines),
      ),
    ]);
    const known = new Map(found.map((document) => [document.partnerNumber, document]));
    const unknown = new Set(withIds.filter(({ productId }) => productId === null).map(({ skuId }) => skuId));

    return documents.map(({ partnerNumber, content }): InboundPreview => {
      const original = known.get(partnerNumber);
      if (original !== undefined) {
        const { documentNo, warehouseNo, payloadDigest } = original;
        return { kind: 'repeated', documentNo, warehouseNo, payloadDiffers: payloadDigest !== inboundDigest(content) };
      }
      const skuIds = content.lines.map(({ skuId }) => skuId).filter((skuId) => unknown.has(skuId));
      return skuIds.length > 0 ? { kind: 'unknown_skus', skuIds } : { kind: 'creatable' };
    });
  };
}
