import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { inboundStatesAllowing } from './inbound-document.ts';
import type { InboundKey } from './inbound-queries.ts';
import type { AnnouncedLine } from './line-progress.ts';

/** A form whose remaining units are received automatically. */
export interface DueForm extends InboundKey {
  partnerNumber: string;
  receiveAt: Date;
}

/** Before the first form of an account. */
export function firstDue(accountId: number): DueForm {
  return { accountId, inboundId: 0, partnerNumber: '', receiveAt: new Date(0) };
}

/** Only keys of these accounts can have forms that wait. */
export async function uatAccountsWithKeys(sql: Sql): Promise<number[]> {
  const rows = await sql<{ accountId: number }[]>`
    select account_id as "accountId" from account a
    where environment = 'uat' and exists (select from logistics_key k where k.account_id = a.account_id) order by account_id`;
  return rows.map((row) => row.accountId);
}

/** Forms beyond the given one that are due, the longest due first. */
export async function findDueForms(sql: Sql, beyond: DueForm, now: Date, limit: number): Promise<DueForm[]> {
  return await sql<DueForm[]>`
    select ${camelColumns('account_id, inbound_id, partner_number, receive_at')} from inbound_document
    where account_id = ${beyond.accountId} and channel = 'logistics' and receive_at is not null
      and status = any(${inboundStatesAllowing('complete')}) and receive_at <= ${now}
      and (receive_at, inbound_id) > (${beyond.receiveAt}, ${beyond.inboundId})
    order by receive_at, inbound_id limit ${limit}`;
}

/** The announced lines, in the order in which they were sent. */
export async function findFormLines(
  tx: Tx,
  { accountId, inboundId }: InboundKey,
): Promise<(AnnouncedLine & { productId: number })[]> {
  return await tx<(AnnouncedLine & { productId: number })[]>`
    select ${camelColumns('product_id, sku_id, batch_id, expire_date, qty')}
    from inbound_line join product using (account_id, product_id)
    where account_id = ${accountId} and inbound_id = ${inboundId} order by line_no`;
}
