import { cutPage, type Page, type Search, type SearchTable } from '../../platform/postgres/keyset-search.ts';
import { searchPage } from '../../platform/postgres/search-page.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { findOrdersOfReturns, type ReturnedOrder } from '../documents/return-link-queries.ts';
import { type DocumentKey, findStateChanges } from '../documents/state-change-queries.ts';
import { type TimelineEntry, timelineOf } from '../documents/timeline.ts';
import type { Tenant } from '../partners/tenant.ts';
import { type ArrivedUnits, type Difference, differencesOf, sumArrived } from './arrived-units.ts';
import {
  type InboundChannel,
  type InboundKind,
  type InboundStatus,
  inboundChannels,
  inboundKinds,
  inboundStatuses,
} from './inbound-document.ts';
import type { ShippingType } from './inbound-form.ts';
import { eachAccount, type InboundsOfAccount, inboundsByAccount, unitsBroughtBy } from './inbound-queries.ts';

/** The partner's number has a different name in each contract and is unique there. */
const number = { column: 'partner_number', type: 'text', rare: true, unique: true } as const;

export const inboundTable: SearchTable = {
  table: 'inbound_document',
  order: {
    columns: [
      { name: 'created_at', type: 'timestamptz' },
      { name: 'inbound_id', type: 'bigint' },
    ],
    descending: true,
  },
  select:
    () => `inbound_id, account_id, document_no, channel, kind, partner_number, status, warehouse_no, store_no, original_order_number,
    ${taipeiTime('estimated_arrival_at')}, ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    created_by, trace_id,
    (select count(*) from inbound_line l where l.account_id = listed.account_id and l.inbound_id = listed.inbound_id)
      + (select count(*) from movement m where m.account_id = listed.account_id and m.inbound_id = listed.inbound_id)
      + (select count(*) from state_change s
         where s.account_id = listed.account_id and document_type = 'inbound' and document_id = listed.inbound_id) as weight`,
  fields: {
    document_no: { column: 'document_no', type: 'text', index: 'inbound_search_document_no', rare: true },
    direct_number: { ...number, index: 'inbound_number', only: "channel <> 'logistics'" },
    logistics_number: { ...number, index: 'inbound_number_logistics', only: "channel = 'logistics'" },
    original_order_number: {
      column: 'original_order_number',
      type: 'text',
      index: 'inbound_original_order',
      rare: true,
    },
    updated_at: { column: 'updated_at', type: 'timestamptz', index: 'inbound_search_updated', rare: true },
    created_at: { column: 'created_at', type: 'timestamptz', index: 'inbound_search_created', rare: true },
    status: { column: 'status', type: 'text', index: 'inbound_search_status', values: inboundStatuses },
    kind: { column: 'kind', type: 'text', index: 'inbound_search_kind', values: inboundKinds },
    store_no: { column: 'store_no', type: 'integer', index: 'inbound_search_store' },
    warehouse_no: { column: 'warehouse_no', type: 'integer', index: 'inbound_search_warehouse' },
    channel: { column: 'channel', type: 'text', index: 'inbound_search_channel', values: inboundChannels },
  },
};

export interface FoundInbound {
  inbound_id: number;
  account_id: number;
  document_no: string;
  channel: InboundChannel;
  kind: InboundKind;
  partner_number: string;
  status: InboundStatus;
  warehouse_no: number;
  store_no: number;
  original_order_number: string | null;
  estimated_arrival_at: string | null;
  created_at: string;
  updated_at: string;
  created_by: string | null;
  trace_id: string | null;
  weight: number;
}

export interface FoundInboundLine {
  inbound_id: number;
  sku_id: string;
  batch_id: string;
  expire_date: string | null;
  qty: number;
  name: string | null;
  storage_type: string | null;
  price: string | null;
  identifier: string | null;
}

/** Fields that only forms of the logistics webhook have. */
export interface FoundForm {
  inbound_id: number;
  internal_form_no: string;
  shipping_type: ShippingType;
  sender_name: string | null;
  sender_address: string | null;
  url: string | null;
}

export type InboundInFull = FoundInbound & {
  lines: FoundInboundLine[];
  arrived: ArrivedUnits[];
  differences: Difference[];
  timeline: TimelineEntry[];
  /** Only returns, once the order is known. */
  returned: ReturnedOrder | null;
  form: FoundForm | null;
};

/** Limit for all documents of a page together: lines, arrived units and timeline entries. */
const weightMax = 6000;

export async function findInbounds(sql: Sql, search: Search): Promise<Page<InboundInFull>> {
  const page = cutPage(
    await searchPage<FoundInbound>(sql, inboundTable, search),
    (document) => document.weight,
    weightMax,
  );
  if (page.rows.length === 0) return { ...page, rows: [] };
  const documents = idsOf(page.rows);
  const [lines, brought, changes, forms, orders] = await Promise.all([
    linesOf(sql, documents),
    unitsBroughtBy(sql, documents),
    findStateChanges(
      sql,
      'inbound',
      page.rows.map(({ account_id, inbound_id }) => ({ accountId: account_id, documentId: inbound_id })),
    ),
    formsOf(sql, idsOf(page.rows.filter(({ channel }) => channel === 'logistics'))),
    findOrdersOfReturns(sql, returnsOf(page.rows)),
  ]);
  const linesByDocument = Map.groupBy(lines, (line) => line.inbound_id);
  const broughtByDocument = Map.groupBy(brought, (units) => units.inboundId);
  const changesByDocument = Map.groupBy(changes, (change) => change.documentId);
  const formByDocument = new Map(forms.map((form) => [form.inbound_id, form]));
  const inFull = (document: FoundInbound): InboundInFull => {
    const { inbound_id } = document;
    const lines = linesByDocument.get(inbound_id) ?? [];
    const arrived = sumArrived(broughtByDocument.get(inbound_id) ?? []);
    const announced = lines.map(({ sku_id, qty }) => ({ skuId: sku_id, qty }));
    return {
      ...document,
      lines,
      arrived,
      differences: differencesOf(announced, arrived),
      timeline: timelineOf(document, changesByDocument.get(inbound_id) ?? []),
      returned: orders.get(inbound_id) ?? null,
      form: formByDocument.get(inbound_id) ?? null,
    };
  };
  return { ...page, rows: page.rows.map(inFull) };
}

function idsOf(rows: { account_id: number; inbound_id: number }[]): InboundsOfAccount[] {
  return inboundsByAccount(
    rows.map(({ account_id, inbound_id }) => ({ accountId: account_id, inboundId: inbound_id })),
  );
}

function returnsOf(rows: Pick<FoundInbound, 'account_id' | 'inbound_id' | 'kind'>[]): DocumentKey[] {
  return rows
    .filter(({ kind }) => kind === 'return')
    .map(({ account_id, inbound_id }) => ({ accountId: account_id, documentId: inbound_id }));
}

/** For operators: across accounts, with unit counts instead of the lines. */
const inboundListTable: SearchTable = {
  ...inboundTable,
  select:
    () => `inbound_id, account_id, document_no, channel, kind, partner_number, status, warehouse_no, store_no, receiving, original_order_number,
    ${taipeiTime('estimated_arrival_at')}, ${taipeiTime('created_at')}, ${taipeiTime('updated_at')},
    (select count(*) from inbound_line l where l.account_id = listed.account_id and l.inbound_id = listed.inbound_id) as line_count,
    (select coalesce(sum(qty), 0)::bigint from inbound_line l
     where l.account_id = listed.account_id and l.inbound_id = listed.inbound_id) as announced_units`,
  fields: {
    inbound_id: { column: 'inbound_id', type: 'bigint', index: 'inbound_document_pkey', rare: true },
    ...inboundTable.fields,
    estimated_arrival_at: {
      column: 'estimated_arrival_at',
      type: 'timestamptz',
      index: 'inbound_search_arrival',
      only: 'estimated_arrival_at is not null',
    },
    // Without an index: compared while walking.
    sku_id: { column: 'sku_id', type: 'text', holds: (values) => hasLine(`p.sku_id = any(${values})`) },
    storage_type: {
      column: 'storage_type',
      type: 'text',
      holds: (values) => hasLine(`coalesce(l.item_storage_type, p.storage_type) = any(${values})`),
    },
  },
};

/** Offset 0 makes PostgreSQL probe each document that is examined; it could read all lines of the account at once instead. */
function hasLine(condition: string): string {
  return `exists (select from inbound_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
    where l.account_id = listed.account_id and l.inbound_id = listed.inbound_id and ${condition} offset 0)`;
}

export interface ListedInbound {
  inbound_id: number;
  account_id: number;
  document_no: string;
  channel: InboundChannel;
  kind: InboundKind;
  partner_number: string;
  status: InboundStatus;
  warehouse_no: number;
  store_no: number;
  receiving: Tenant['receiving'];
  original_order_number: string | null;
  estimated_arrival_at: string | null;
  created_at: string;
  updated_at: string;
  line_count: number;
  announced_units: number;
  arrived_units: number;
  arrived_bad_units: number;
  /** Only returns, once the order is known. */
  returned: ReturnedOrder | null;
}

export async function listInbounds(sql: Sql, search: Search): Promise<Page<ListedInbound>> {
  const page = await searchPage<Omit<ListedInbound, 'arrived_units' | 'arrived_bad_units' | 'returned'>>(
    sql,
    inboundListTable,
    search,
  );
  const [brought, orders] = await Promise.all([
    unitsBroughtBy(sql, idsOf(page.rows)),
    findOrdersOfReturns(sql, returnsOf(page.rows)),
  ]);
  const broughtBy = Map.groupBy(brought, ({ inboundId }) => inboundId);
  const rows = page.rows.map((document) => {
    const units = broughtBy.get(document.inbound_id) ?? [];
    const sum = (those: typeof units) => those.reduce((total, { qty }) => total + qty, 0);
    return {
      ...document,
      arrived_units: sum(units),
      arrived_bad_units: sum(units.filter(({ stockType }) => stockType === 'bad')),
      returned: orders.get(document.inbound_id) ?? null,
    };
  });
  return { ...page, rows };
}

async function linesOf(sql: Sql, documents: InboundsOfAccount[]): Promise<FoundInboundLine[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => sql<FoundInboundLine[]>`
      select inbound_id, sku_id, batch_id, expire_date, qty, item_name as name, item_storage_type as storage_type, price, identifier
      from inbound_line join product using (account_id, product_id)
      where account_id = ${accountId} and inbound_id = any(${inboundIds}) order by inbound_id, line_no`,
  );
}

async function formsOf(sql: Sql, documents: InboundsOfAccount[]): Promise<FoundForm[]> {
  return await eachAccount(
    documents,
    (accountId, inboundIds) => sql<FoundForm[]>`
      select inbound_id, internal_form_no, shipping_type, sender_name, sender_address, url
      from inbound_form f
      left join callback_target t
        on t.account_id = f.account_id and document_type in ('inbound', 'return') and document_id = inbound_id
      where f.account_id = ${accountId} and inbound_id = any(${inboundIds})`,
  );
}
