import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { findCallbacksOf } from '../callbacks/document-callback-queries.ts';
import {
  type DocumentHistory,
  type LotName,
  lotColumns,
  type NamedDocument,
} from '../documents/document-history-queries.ts';
import { findOrdersOfReturns } from '../documents/return-link-queries.ts';
import { findChangesOf } from '../documents/state-change-queries.ts';
import { timelineOf } from '../documents/timeline.ts';
import { inAccounts } from '../partners/every-account.ts';
import type { InboundChannel, InboundKind, InboundStatus } from './inbound-document.ts';
import type { InboundKey } from './inbound-queries.ts';

export type NamedInbound = NamedDocument & { account_id: number };

/** `number` is the partner's number or ours. Accounts, and the channels of an account, may use the same number. */
export async function findInboundsNamed(sql: Sql, number: string, accountNo: string | null): Promise<NamedInbound[]> {
  const documents = await inAccounts(
    sql,
    accountNo,
    (own, accountId) => own<NamedInbound[]>`
      select inbound_id as document_id, account_id, account_no, channel, partner_number, document_no
      from inbound_document join account using (account_id)
      where account_id = ${accountId} and inbound_id = any(array(
        select inbound_id from inbound_document where account_id = ${accountId} and channel <> 'logistics' and partner_number = ${number}
        union all
        select inbound_id from inbound_document where account_id = ${accountId} and channel = 'logistics' and partner_number = ${number}
        union all
        select inbound_id from inbound_document where account_id = ${accountId} and document_no = ${number}))
      order by inbound_id`,
  );
  return documents.toSorted((a, b) => (a.account_no === b.account_no ? 0 : a.account_no < b.account_no ? -1 : 1));
}

export interface InboundHistory extends DocumentHistory {
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  receiving: 'on_create' | 'on_confirm';
  /** When the rest is received automatically; null: not at all. */
  receive_at: string | null;
  over_delivery_percent: number;
  internal_form_no: string | null;
  original_order_number: string | null;
  /** Only returns: our number for the returned order, once it is known. */
  orders_id: string | null;
  estimated_arrival_at: string | null;
  lines: { sku_id: string; qty: number; batch_id: string; expire_date: string | null; identifier: string | null }[];
  /** How many units of each lot arrived, and how many of them were retracted. */
  lots: (LotName & { received: number; retracted: number })[];
  receipts: { receipt_no: string; at: string; return_reason: string | null }[];
}

/** null: the document has been purged. */
export async function findInboundHistory(
  sql: Sql,
  { accountId, inboundId }: InboundKey,
): Promise<InboundHistory | null> {
  const [document] = await sql<
    Omit<InboundHistory, 'orders_id' | 'lines' | 'lots' | 'receipts' | 'callbacks' | 'timeline'>[]
  >`
    select account_no, channel, kind, partner_number, document_no, internal_form_no, status, receiving, ${sql.unsafe(taipeiTime('receive_at'))},
      over_delivery_percent, warehouse_no, store_no, original_order_number, ${sql.unsafe(taipeiTime('estimated_arrival_at'))}, ${sql.unsafe(taipeiTime('d.created_at', 'created_at'))},
      ${sql.unsafe(taipeiTime('updated_at'))}, created_by, trace_id
    from inbound_document d join account using (account_id) left join inbound_form using (account_id, inbound_id)
    where account_id = ${accountId} and inbound_id = ${inboundId}`;
  if (!document) return null;
  const key = { accountId, documentId: inboundId };
  const [lines, lots, receipts, callbacks, changes, orders] = await Promise.all([
    sql<InboundHistory['lines']>`
      select sku_id, qty, batch_id, expire_date, identifier from inbound_line join product using (account_id, product_id)
      where account_id = ${accountId} and inbound_id = ${inboundId} order by line_no`,
    sql<InboundHistory['lots']>`
      select ${lotColumns(sql)}, coalesce(sum(on_hand_delta) filter (where on_hand_delta > 0), 0)::bigint as received,
        coalesce(-sum(on_hand_delta) filter (where on_hand_delta < 0), 0)::bigint as retracted
      from movement join lot using (account_id, lot_id)
      where account_id = ${accountId} and inbound_id = ${inboundId}
      group by lot.account_id, lot.lot_id order by min(movement_id)`,
    sql<InboundHistory['receipts']>`
      select receipt_no, ${sql.unsafe(taipeiTime('at'))}, return_reason from receipt
      where account_id = ${accountId} and inbound_id = ${inboundId} order by receipt.at, receipt_no`,
    findCallbacksOf(sql, 'inbound', key),
    findChangesOf(sql, 'inbound', key),
    findOrdersOfReturns(sql, document.kind === 'return' ? [key] : []),
  ]);
  return {
    ...document,
    orders_id: orders.get(inboundId)?.orderNo ?? null,
    lines,
    lots,
    receipts,
    callbacks,
    timeline: timelineOf(document, changes),
  };
}
