import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { findCallbacksOf } from '../callbacks/document-callback-queries.ts';
import {
  type DocumentHistory,
  type LotName,
  lotColumns,
  type NamedDocument,
} from '../documents/document-history-queries.ts';
import { findChangesOf } from '../documents/state-change-queries.ts';
import { timelineOf } from '../documents/timeline.ts';
import type { InboundChannel, InboundKind, InboundStatus } from './inbound-document.ts';

/** `number` is the partner's number or ours. Numbers of the logistics channel are unique within an account only, so there may be several documents. */
export async function findInboundsNamed(sql: Sql, number: string, accountNo: string | null): Promise<NamedDocument[]> {
  return await sql<NamedDocument[]>`
    select inbound_id as document_id, account_no, channel, partner_number, document_no
    from inbound_document join account using (account_id)
    where inbound_id = any(array(
        select inbound_id from inbound_document where channel <> 'logistics' and partner_number = ${number}
        union all
        select inbound_id from inbound_document where channel = 'logistics' and partner_number = ${number}
          and account_id = any(array(select account_id from account))
        union all
        select inbound_id from inbound_document where document_no = ${number} and account_id = any(array(select account_id from account))
      ))
      and (${accountNo}::text is null or account_no = ${accountNo})
    order by account_no, inbound_id`;
}

export interface InboundHistory extends DocumentHistory {
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  receiving: 'on_create' | 'on_confirm';
  over_delivery_percent: number;
  internal_form_no: string | null;
  original_order_number: string | null;
  estimated_arrival_at: string | null;
  lines: { sku_id: string; qty: number; batch_id: string; expire_date: string | null; identifier: string | null }[];
  /** How many units of each lot arrived, and how many of them were retracted. */
  lots: (LotName & { received: number; retracted: number })[];
  receipts: { receipt_no: string; at: string }[];
}

/** null: the document has been purged. */
export async function findInboundHistory(sql: Sql, inboundId: number): Promise<InboundHistory | null> {
  const [document] = await sql<Omit<InboundHistory, 'lines' | 'lots' | 'receipts' | 'callbacks' | 'timeline'>[]>`
    select account_no, channel, kind, partner_number, document_no, internal_form_no, status, receiving, over_delivery_percent, warehouse_no, store_no,
      original_order_number, ${sql.unsafe(taipeiTime('estimated_arrival_at'))}, ${sql.unsafe(taipeiTime('d.created_at', 'created_at'))},
      ${sql.unsafe(taipeiTime('updated_at'))}, created_by, trace_id
    from inbound_document d join account using (account_id) left join inbound_form using (inbound_id) where inbound_id = ${inboundId}`;
  if (!document) return null;
  const [lines, lots, receipts, callbacks, changes] = await Promise.all([
    sql<InboundHistory['lines']>`
      select sku_id, qty, batch_id, expire_date, identifier from inbound_line join product using (product_id)
      where inbound_id = ${inboundId} order by line_no`,
    sql<InboundHistory['lots']>`
      select ${lotColumns(sql)}, coalesce(sum(on_hand_delta) filter (where on_hand_delta > 0), 0)::bigint as received,
        coalesce(-sum(on_hand_delta) filter (where on_hand_delta < 0), 0)::bigint as retracted
      from movement join lot using (lot_id) where inbound_id = ${inboundId} group by lot.lot_id order by min(movement_id)`,
    sql<InboundHistory['receipts']>`
      select receipt_no, ${sql.unsafe(taipeiTime('at'))} from receipt where inbound_id = ${inboundId} order by receipt.at, receipt_no`,
    findCallbacksOf(sql, 'inbound', inboundId),
    findChangesOf(sql, 'inbound', inboundId),
  ]);
  return { ...document, lines, lots, receipts, callbacks, timeline: timelineOf(document, changes) };
}
