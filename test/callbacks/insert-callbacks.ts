import { laneName, receiverAddressOf, receiverIdOf } from '../../server/domain/callbacks/callback.ts';
import { callbackChannel, giveUpAfterHours } from '../../server/domain/callbacks/owed-callback-queries.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';

export interface CallbacksToInsert {
  /** Documents take turns over them. */
  urls: string[];
  count: number;
  accountId?: number;
  /** Callbacks of the same document follow one another. */
  perDocument?: number;
  keyName?: string;
  /** Additional characters in the body. */
  padding?: number;
  /** Whether workers are notified. */
  notify?: boolean;
}

export interface InsertedCallback {
  callbackId: number;
  eventId: string;
  documentId: number;
  sequence: number;
}

/** Queues any number of callbacks. Returns the id of the first one; the other ids follow it. */
export async function insertManyCallbacks(sql: Sql, wanted: CallbacksToInsert): Promise<number> {
  const { urls, count, accountId = 1, perDocument = 1, keyName = 'main', padding = 0, notify = true } = wanted;
  const addresses = urls.map(receiverAddressOf);
  const receiverIds = addresses.map((address) => receiverIdOf(accountId, address));
  await sql`
    insert into callback_receiver (account_id, receiver_id, address)
    select distinct on (receiver_id) ${accountId}::bigint, receiver_id, address
    from unnest(${receiverIds}::uuid[], ${addresses}::text[]) as given(receiver_id, address)
    order by receiver_id on conflict do nothing`;
  const [row] = await sql<[{ first: number }]>`
    with made as (
      insert into callback (account_id, event_id, event, document_type, document_id, document_no, sequence, url, key_name, receiver_id, body,
        occurred_at, status)
      select ${accountId}::bigint, event_id, 'order.shipped', 'order', document_id, 'D' || document_id, sequence,
        (${urls}::text[])[1 + document_id % ${urls.length}::integer], ${keyName}, (${receiverIds}::uuid[])[1 + document_id % ${urls.length}::integer],
        format('{"event_id":"%s","document":%s,"sequence":%s,"name":"é茶","padding":"%s"}', event_id, document_id, sequence, repeat('x', ${padding})),
        now(), 'pending'
      from (select coalesce(max(document_id), 0) + 1 as first_id from callback where document_type = 'order') first
      cross join lateral (
        select gen_random_uuid() as event_id, first_id + n / ${perDocument}::integer as document_id, n % ${perDocument}::integer + 1 as sequence
        from generate_series(0, ${count}::integer - 1) n
      ) each
      returning account_id, callback_id, receiver_id, document_type, document_id, sequence
    ), queued as (
      insert into callback_delivery (account_id, callback_id, receiver_id, document_type, document_id, sequence, due_at, give_up_at)
      select *, case when sequence = 1 then now() else 'infinity' end, now() + make_interval(hours => ${giveUpAfterHours}::integer) from made
    )
    select min(callback_id) as first from made`;
  const names = receiverIds.map((receiverId) => laneName({ accountId, receiverId }));
  if (notify) await sql`select pg_notify(${callbackChannel}, ${names.length > 100 ? '' : names.join()})`;
  return row.first;
}

/** Queues callbacks and returns them. */
export async function insertCallbacks(sql: Sql, wanted: CallbacksToInsert): Promise<InsertedCallback[]> {
  const first = await insertManyCallbacks(sql, { ...wanted, notify: false });
  const inserted = await sql<InsertedCallback[]>`
    select callback_id as "callbackId", event_id as "eventId", document_id as "documentId", sequence
    from callback where callback_id >= ${first} order by callback_id limit ${wanted.count}`;
  if (wanted.notify ?? true) await sql`select pg_notify(${callbackChannel}, '')`;
  return [...inserted];
}
