import type { BodyOf } from '../../../contract/console/console-call.ts';
import { type InboundListRow, inboundSearch } from '../../../contract/console/inbound-search.ts';
import { type ListedInbound, listInbounds } from '../../domain/inbound/inbound-search-queries.ts';
import { findInboundsNamed } from '../../domain/timeline/document-story-queries.ts';
import type { Condition, Search } from '../../platform/keyset-search.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, listPage } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';

type Body = BodyOf<typeof inboundSearch>;

export function inboundSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;

  async function idsNamed(number: string): Promise<number[]> {
    const named = await database.read((sql) => findInboundsNamed(sql, number, null));
    return named.map(({ document_id }) => document_id);
  }

  return consoleEndpoint(inboundSearch, {
    role: 'read-only',
    audit: null,
    async handle(_caller, body) {
      const named: Search['filters'] = body.number === undefined ? {} : { inbound_id: { anyOf: await idsNamed(body.number) } };
      const question = { list: 'inbound', filters: { ...named, ...filtersOf(body) }, sort: sortOf(body) };
      const find = (search: Search) => database.read((sql) => listInbounds(sql, search));
      return await listPage(parts, body, question, find, rowOf);
    },
  });
}

/** Field by field: what was found also has what its page needs. */
function rowOf(found: ListedInbound, accountNoOf: AccountNoOf): InboundListRow {
  const { inbound_id, document_no, partner_number, channel, kind, status, warehouse_no, store_no, original_order_number } = found;
  const { estimated_arrival_at, line_count, announced_units, arrived_units, arrived_bad_units, created_at, updated_at } = found;
  return {
    ...{
      inbound_id,
      account_no: accountNoOf(found.account_id),
      document_no,
      partner_number,
      channel,
      kind,
      status,
      warehouse_no,
      store_no,
    },
    ...{
      original_order_number,
      estimated_arrival_at,
      line_count,
      announced_units,
      arrived_units,
      arrived_bad_units,
      created_at,
      updated_at,
    },
  };
}

function filtersOf(body: Body): Search['filters'] {
  const { status, kind, channel, warehouse_no, sort } = body;
  // Those that do not say when they come have no place in this order.
  const comesAtAll = sort === 'arrival' ? { gte: '-infinity' } : undefined;
  const filters: Record<string, Condition | undefined> = {
    status: status && { anyOf: status },
    kind: kind && { anyOf: kind },
    channel: channel && { anyOf: channel },
    warehouse_no: warehouse_no && { anyOf: warehouse_no },
    estimated_arrival_at: daysFrom(body.arrival_from, body.arrival_to) ?? comesAtAll,
    created_at: daysFrom(body.created_from, body.created_to),
    updated_at: daysFrom(body.updated_from, body.updated_to),
  };
  return Object.fromEntries(Object.entries(filters).flatMap(([name, condition]) => (condition ? [[name, condition]] : [])));
}

/** Whole days of Taipei, both included. */
function daysFrom(from: string | undefined, to: string | undefined): Condition | undefined {
  if (from === undefined && to === undefined) return undefined;
  return {
    ...(from === undefined ? {} : { gte: `${from}T00:00:00+08:00` }),
    ...(to === undefined ? {} : { lte: `${to}T23:59:59.999999+08:00` }),
  };
}

const sortFields = {
  created: { field: 'created_at', descending: true },
  updated: { field: 'updated_at', descending: true },
  arrival: { field: 'estimated_arrival_at', descending: false },
} as const;

/** Rows that a range is asked of come in its order: only so are they one stretch of an index. */
function sortOf({ sort, arrival_from, arrival_to, updated_from, updated_to }: Body): Search['sort'] {
  if (sort !== undefined) return sortFields[sort];
  if ((arrival_from ?? arrival_to) !== undefined) return sortFields.arrival;
  return (updated_from ?? updated_to) === undefined ? sortFields.created : sortFields.updated;
}
