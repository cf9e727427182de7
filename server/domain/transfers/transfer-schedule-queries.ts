import { type Message, storeMessage } from '../../../messages/message.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Connector } from './transfer.ts';

/** A run that transfers the pending orders of a warehouse. Only the worker that holds the lease may continue it. */
export interface Wave {
  warehouseNo: number;
  lease: string;
  connector: Connector;
  /** Orders created later belong to the next wave. To the microsecond. */
  startedAt: string;
  /** Consecutive failed waves before this one. */
  failures: number;
}

/** Adds new warehouses to the schedule. */
export async function completeSchedule(tx: Tx): Promise<void> {
  await tx`
    insert into push_schedule (warehouse_no)
    select warehouse_no from warehouse w where not exists (select from push_schedule s where s.warehouse_no = w.warehouse_no)
    on conflict do nothing`;
}

/**
 * Claims the wave that has been due the longest; null: none is due. Rows that another worker has locked are skipped.
 * The wave stays due while it is claimed, so that it is found again if its worker dies.
 */
export async function claimWave(tx: Tx, lease: string, leaseSeconds: number): Promise<Wave | null> {
  const warehouses = await tx<{ warehouseNo: number; connector: Connector; everySeconds: number }[]>`
    select warehouse_no as "warehouseNo", connector, transfer_every_s as "everySeconds" from warehouse where connector->>'type' <> 'manual'`;
  const [row] = await tx<Omit<Wave, 'connector'>[]>`
    update push_schedule set lease = ${lease}, lease_until = now() + make_interval(secs => ${leaseSeconds}::float8), last_wave_at = now(),
      next_wave_at = least(next_wave_at, now())
    where warehouse_no = (
      select warehouse_no from push_schedule join ${everyRows.unnest(warehouses)} as served(warehouse_no, transfer_every_s) using (warehouse_no)
      where (lease is null or lease_until <= now()) and ${isDue(tx)}
      order by next_wave_at limit 1 for no key update of push_schedule skip locked)
    returning warehouse_no as "warehouseNo", lease, failures,
      to_char(last_wave_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as "startedAt"`;
  return row ? { ...row, connector: warehouses.find((one) => one.warehouseNo === row.warehouseNo)!.connector } : null;
}

/**
 * Statements that change the schedule do not read the table `warehouse`. On Citus, every server has that table, and a
 * change that depends on it must not use functions such as now().
 */
const everyRows = rowParameters<{ warehouseNo: number; everySeconds: number }>({
  warehouse_no: ['integer', (one) => one.warehouseNo],
  transfer_every_s: ['integer', (one) => one.everySeconds],
});

/** A shorter interval takes effect at once. A warehouse that failed waits for its retry delay. */
function isDue(sql: Sql | Tx) {
  return sql`(next_wave_at <= now() or (failures = 0 and last_wave_at + make_interval(secs => transfer_every_s) <= now()))`;
}

/** Renews the lease; false: it has expired, so another worker has it or may take it at any moment. */
export async function renewWave(tx: Tx, { warehouseNo, lease }: Wave, leaseSeconds: number): Promise<boolean> {
  const renewed = await tx`
    update push_schedule set lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where warehouse_no = ${warehouseNo} and lease = ${lease} and lease_until > now()`;
  return renewed.count > 0;
}

/**
 * Fences this transaction: it holds the lease, and no other worker can take over the wave until the transaction ends.
 * Returns the current connector of the warehouse; null: another worker has the wave.
 */
export async function holdWave(tx: Tx, { warehouseNo, lease }: Wave, leaseSeconds: number): Promise<Connector | null> {
  const [held, connector] = await Promise.all([
    tx`
      update push_schedule set lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
      where warehouse_no = ${warehouseNo} and lease = ${lease}`.execute(),
    connectorOf(tx, warehouseNo),
  ]);
  return held.count > 0 ? connector : null;
}

async function connectorOf(tx: Tx, warehouseNo: number): Promise<Connector | null> {
  const [row] = await tx<
    { connector: Connector }[]
  >`select connector from warehouse where warehouse_no = ${warehouseNo}`;
  return row?.connector ?? null;
}

export interface WaveEnd {
  failures: number;
  outcome: Message;
  /** null: the next wave follows the schedule, or is due now if it was requested during this wave. */
  afterSeconds: number | null;
}

/** Releases the wave and schedules the next one; false: another worker has the wave. */
export async function endWave(
  tx: Tx,
  { warehouseNo, lease }: Wave,
  { failures, outcome, afterSeconds }: WaveEnd,
): Promise<boolean> {
  const [warehouse] = await tx`select transfer_every_s from warehouse where warehouse_no = ${warehouseNo}`;
  const ended = await tx`
    update push_schedule set lease = null, lease_until = null, failures = ${failures}, last_outcome = ${storeMessage(outcome)},
      next_wave_at = case
        when ${afterSeconds}::float8 is not null then now() + make_interval(secs => ${afterSeconds}::float8)
        when next_wave_at > last_wave_at then next_wave_at
        else last_wave_at + make_interval(secs => ${warehouse!.transfer_every_s}::integer) end
    where warehouse_no = ${warehouseNo} and lease = ${lease}`;
  return ended.count > 0;
}

/** No wave of this warehouse starts or continues until this transaction ends. null: there is no such warehouse. */
export async function lockSchedule(tx: Tx, warehouseNo: number): Promise<Connector | null> {
  await completeSchedule(tx);
  await tx`select from push_schedule where warehouse_no = ${warehouseNo} for no key update`;
  return await connectorOf(tx, warehouseNo);
}

/** Those of these warehouses that have no running wave. None of them starts one until this transaction ends. */
export async function lockIdleWarehouses(tx: Tx, warehouseNos: number[]): Promise<Set<number>> {
  const rows = await tx<{ warehouse_no: number }[]>`
    select warehouse_no from push_schedule
    where warehouse_no = any(${warehouseNos}::integer[]) and (lease is null or lease_until <= now())
    order by warehouse_no for no key update`;
  return new Set(rows.map((row) => row.warehouse_no));
}

/** Makes a wave due now, even after a failure or during a wave: the row is locked, so this is later than its start. */
export async function hastenWave(tx: Tx, warehouseNo: number): Promise<void> {
  await tx`update push_schedule set next_wave_at = clock_timestamp() where warehouse_no = ${warehouseNo}`;
}

export interface ListedSchedule {
  warehouse_no: number;
  connector: Connector['type'];
  transfer_every_s: number;
  last_wave: string | null;
  last_outcome: string | null;
  failures: number;
  /** null: a manual warehouse has no waves. */
  next_wave: string | null;
}

export async function listSchedule(sql: Sql): Promise<ListedSchedule[]> {
  return await sql<ListedSchedule[]>`
    select warehouse_no, connector->>'type' as connector, transfer_every_s, ${sql.unsafe(taipeiTime('last_wave_at', 'last_wave'))}, last_outcome,
      coalesce(failures, 0) as failures, ${sql.unsafe(taipeiTime("(case when connector->>'type' <> 'manual' then next_wave_at end)", 'next_wave'))}
    from warehouse left join push_schedule using (warehouse_no) order by warehouse_no`;
}

/** How long the wave that is due longest has waited for a worker. 0: none is waiting. */
export async function longestDueWaveSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<[{ seconds: number }]>`
    select coalesce(max(extract(epoch from now() - next_wave_at)), 0)::float8 as seconds
    from push_schedule join warehouse using (warehouse_no)
    where connector->>'type' <> 'manual' and (lease is null or lease_until <= now()) and next_wave_at <= now()`;
  return row.seconds;
}

/** Makes the waves of these warehouses due now. A warehouse that failed waits for its retry delay. */
export async function hastenRequests(tx: Tx, warehouseNos: number[]): Promise<void> {
  await tx`
    select from push_schedule where warehouse_no = any(${warehouseNos}::integer[]) order by warehouse_no for no key update`;
  await tx`
    update push_schedule set next_wave_at = clock_timestamp()
    where warehouse_no = any(${warehouseNos}::integer[]) and failures = 0`;
}
