import type { Sql } from '../server/platform/database.ts';
import type { CallbackReceiver } from './callback-receiver.ts';
import type { Ledger } from './ledger.ts';

/** Events that are owed and have not arrived yet. */
export async function missingEvents(sql: Sql, { arrived }: CallbackReceiver): Promise<string[]> {
  const rows = await sql<{ event_id: string }[]>`select event_id from callback`;
  return rows.map((row) => row.event_id).filter((eventId) => !arrived.has(eventId));
}

export interface CallbackCounts {
  owed: number;
  missing: number;
  /** Came more than once, as the contract allows. */
  repeated: number;
}

/** Whatever the tables owe has arrived, and so has whatever callers are owed by what they were told. */
export async function compareCallbacks(sql: Sql, receiver: CallbackReceiver, ledger: Ledger): Promise<CallbackCounts> {
  const rows = await sql<{ event_id: string; told: string }[]>`select event_id, event || ' ' || document_no as told from callback`;
  const missing = rows.filter((row) => !receiver.arrived.has(row.event_id));
  for (const { event_id, told } of missing) ledger.find('lost', `the callback ${told} (${event_id}) has not arrived`);
  const stored = new Set(rows.map((row) => row.event_id));
  const arrivals = [...receiver.arrived.values()];
  for (const { eventId, told } of arrivals)
    if (!stored.has(eventId)) ledger.find('wrong', `the callback ${told} (${eventId}) is not stored`);

  const toldCounts = Map.groupBy(arrivals, (arrival) => arrival.told);
  for (const [told, { length }] of toldCounts) if (length > 1) ledger.find('doubled', `there are ${length} callbacks ${told}`);
  const owedByLedger = eventsOwed(ledger);
  const unheard = owedByLedger.filter((told) => !toldCounts.has(told) && !missing.some((row) => row.told === told));
  for (const told of unheard) ledger.find('lost', `the callback ${told} is owed, and is neither stored nor has it arrived`);
  const expected = new Set(owedByLedger);
  for (const told of toldCounts.keys()) if (!expected.has(told)) ledger.find('wrong', `the callback ${told} tells what did not happen`);
  return {
    owed: rows.length + unheard.length,
    missing: missing.length + unheard.length,
    repeated: arrivals.reduce((sum, { times }) => sum + times - 1, 0),
  };
}

/** What the documents of the logistics webhook have gone through, as their sender was told. */
function eventsOwed({ orders, inbounds }: Ledger): string[] {
  const ofOrders = [...orders.values()].filter((order) => order.isLogistics);
  const forms = [...inbounds.values()].filter((form) => form.isLogistics && form.told !== null);
  return [
    ...ofOrders.filter((order) => order.shipped).map((order) => `order.shipped ${order.number}`),
    ...ofOrders.filter((order) => order.cancelled).map((order) => `order.cancelled ${order.number}`),
    ...forms.map((form) => `inbound.received ${form.number}`),
    ...forms.filter((form) => form.cancelled).map((form) => `inbound.cancelled ${form.number}`),
  ];
}
