import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import type { NamedLine } from './inbound-detail-queries.ts';
import type { InboundKey } from './inbound-queries.ts';

export type ExportedInboundLine = NamedLine & { inbound_id: number };

/** The lines of many documents, in the order of their numbers. */
export async function findExportedInboundLines(sql: Sql, documents: InboundKey[]): Promise<ExportedInboundLine[]> {
  return await perAccount(
    documents,
    (accountId, own) => sql<ExportedInboundLine[]>`
      select inbound_id, line_no, sku_id, coalesce(item_name, product.name) as name, batch_id, expire_date, identifier, qty
      from inbound_line join product using (account_id, product_id)
      where account_id = ${accountId} and inbound_id = any(${own.map(({ inboundId }) => inboundId)}::bigint[])
      order by inbound_id, line_no`,
  );
}
