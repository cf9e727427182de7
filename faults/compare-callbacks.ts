import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import type { CallbackReceiver } from './callback-receiver.ts';
import type { Ledger } from './ledger.ts';

/** Events that have not arrived yet. */
export async function missingEvents(sql: Sql, { arrived }: CallbackReceiver): Promise<string[]> {
  const rows = await inEveryAccount(
    sql,
    (own, accountId) => own<{ event_id: string }[]>`select event_id from callback where account_id = ${accountId}`,
  );
  return rows.map((row) => row.event_id).filter((eventId) => !arrived.has(eventId));
}

export interface CallbackCounts {
  owed: number;
  missing: number;
  /** Callbacks that arrived more than once, as the contract allows. */
  repeated: number;
}

/** Checks that all callbacks required by the tables and by the responses to callers have arrived. */
export async function compareCallbacks(sql: Sql, receiver: CallbackReceiver, ledger: Ledger): Promise<CallbackCounts> {
  const rows = await inEveryAccount(
    sql,
    (own, accountId) => own<{ event_id: string; label: string }[]>`
    select event_id, event || ' ' || document_no as label from callback where account_id = ${accountId}`,
  );
  const missing = rows.filter((row) => !receiver.arrived.has(row.event_id));
  for (const { event_id, label } of missing) ledger.find('lost', `the callback ${label} (${event_id}) has not arrived`);
  const stored = new Set(rows.map((row) => row.event_id));
  const arrivals = [...receiver.arrived.values()];
  for (const { eventId, label } of arrivals)
    if (!stored.has(eventId)) ledger.find('wrong', `the callback ${label} (${eventId}) is not stored`);

  const countsByLabel = Map.groupBy(arrivals, (arrival) => arrival.label);
  for (const [label, { length }] of countsByLabel)
    if (length > 1) ledger.find('doubled', `there are ${length} callbacks ${label}`);
  const owedByLedger = eventsOwed(ledger);
  const unheard = owedByLedger.filter(
    (label) => !countsByLabel.has(label) && !missing.some((row) => row.label === label),
  );
  for (const label of unheard) ledger.find('lost', `the callback ${label} is owed but neither stored nor delivered`);
  const expected = new Set(owedByLedger);
  for (const label of countsByLabel.keys())
    if (!expected.has(label)) ledger.find('wrong', `the callback ${label} reports an event that did not happen`);
  return {
    owed: rows.length + unheard.length,
    missing: missing.length + unheard.length,
    repeated: arrivals.reduce((sum, { times }) => sum + times - 1, 0),
  };
}

/** The events of logistics documents that follow from the responses to their sender. */
function eventsOwed({ orders, inbounds }: Ledger): string[] {
  const ofOrders = [...orders.values()].filter((order) => order.isLogistics);
  const forms = [...inbounds.values()].filter((form) => form.isLogistics && form.knownAs !== null);
  return [
    ...ofOrders.flatMap(({ reached, number }) => [...reached].map((status) => `order.${status} ${number}`)),
    ...ofOrders.filter((order) => order.cancelled).map((order) => `order.cancelled ${order.number}`),
    ...forms.map((form) => `inbound.received ${form.number}`),
    ...forms.filter((form) => form.cancelled).map((form) => `inbound.cancelled ${form.number}`),
  ];
}
