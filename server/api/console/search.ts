import { type Found, type FoundHit, type FoundKind, searchFind } from '../../../contract/console/search.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import { findRequest } from '../../domain/requests/request-log-queries.ts';
import {
  type FoundInbound,
  type FoundOrder,
  type FoundProduct,
  findCallbackByEvent,
  findClient,
  findInbounds,
  findOrderByTransfer,
  findOrders,
  findProducts,
  findShipments,
  foundMax,
  isBehind,
} from '../../domain/search/find-queries.ts';
import { isLongEnough, type SearchTerm, searchTermOf } from '../../domain/search/search-term.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { ownOf } from './own-warehouses.ts';

/** The newest rows that are read directly, because their parts are not stored yet: in an account, and in all together. */
const unfilledMax = 2000;
const unfilledInAllMax = 40_000;

/** The search behind Ctrl+K. */
export function searchFindCall({ directory }: Pick<ConsoleParts, 'directory'>): ConsoleEndpoint {
  return consoleEndpoint(searchFind, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, { text }): Promise<Found> {
      const { reads } = caller;
      const own = ownOf(caller);
      const term = searchTermOf(text);
      if (!isLongEnough(term.text)) return { hits: [], more: [], is_behind: false };
      if (isUuid(term.text)) return arrange(await hitsById(reads, term.lower, own), false);
      return await findByTerm(reads, directory, term, own);
    },
  });
}

/** Groups the hits by kind, limits each, and says which have more. */
function arrange(hits: FoundHit[], is_behind: boolean): Found {
  const groups = Map.groupBy(distinctByPath(hits), ({ kind }) => kind);
  return {
    hits: [...groups.values()].flatMap((own) => own.slice(0, foundMax)),
    more: [...groups].flatMap(([kind, own]): FoundKind[] => (own.length > foundMax ? [kind] : [])),
    is_behind,
  };
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Requests and callbacks are not for operators who are restricted to warehouses. */
async function hitsById(reads: Reader, id: string, own: number[] | null): Promise<FoundHit[]> {
  const [request, callback, transferred] = await Promise.all([
    own === null ? findRequest(reads, id) : null,
    own === null ? reads.read(noAccounts, (sql) => findCallbackByEvent(sql, id)) : null,
    reads.read(noAccounts, (sql) => findOrderByTransfer(sql, id, own)),
  ]);
  const hits: FoundHit[] = [];
  if (request) {
    const subtitle = [request.account_no, request.endpoint, request.status].filter((part) => part !== null).join(' · ');
    hits.push({ kind: 'trace', title: id, subtitle, path: `/requests/${id}`, is_exact: true });
  }
  if (callback) {
    const subtitle = `${callback.account_no} · ${callback.event} · ${callback.document_no}`;
    hits.push({ kind: 'callback', title: id, subtitle, path: `/callbacks/${callback.callback_id}`, is_exact: true });
  }
  if (transferred) hits.push({ ...orderHit(transferred, id), is_exact: true });
  return hits;
}

async function findByTerm(
  reads: Reader,
  directory: AccountDirectory,
  term: SearchTerm,
  warehouseNos: number[] | null,
): Promise<Found> {
  await directory.allNow();
  const accounts = directory.known().size;
  const finding = { term, warehouseNos, unfilledMax: Math.min(unfilledMax, Math.ceil(unfilledInAllMax / accounts)) };
  const [orders, shipments, inbounds, products, client, behind] = await reads.read(noAccounts, (sql) =>
    Promise.all([
      findOrders(sql, finding),
      findShipments(sql, finding),
      findInbounds(sql, finding),
      findProducts(sql, finding),
      findClient(sql, term.text),
      isBehind(sql, finding.unfilledMax),
    ]),
  );
  const hits = [
    ...newestFirst(orders, 'order_id').map((order) => orderHit(order, term.lower)),
    ...newestFirst(shipments, 'order_id').map((order) => shipmentHit(order, term.lower)),
    ...newestFirst(inbounds, 'inbound_id').map((inbound) => inboundHit(inbound, term.lower)),
    ...products.map((product) => productHit(product, term)),
    ...accountsLike(directory, term.lower),
    ...(client ? [clientHit(client)] : []),
  ];
  return arrange(hits, behind);
}

/** Sorts the rows of all accounts together. */
function newestFirst<Id extends string, Row extends Record<Id, number>>(rows: Row[], id: Id): Row[] {
  return rows.toSorted((one, other) => other[id] - one[id]);
}

function isSame(lower: string, ...numbers: (string | null)[]): boolean {
  return numbers.some((number) => number?.toLowerCase() === lower);
}

function accountsLike(directory: AccountDirectory, lower: string): FoundHit[] {
  return [...directory.known().keys()]
    .filter((accountNo) => accountNo.toLowerCase().includes(lower))
    .toSorted()
    .map((accountNo) => ({
      kind: 'account',
      title: accountNo,
      subtitle: '',
      path: accountPath(accountNo),
      is_exact: isSame(lower, accountNo),
    }));
}

function accountPath(accountNo: string): string {
  return `/partners/accounts/${encodeURIComponent(accountNo)}`;
}

function clientHit({ client_id, account_no }: { client_id: string; account_no: string }): FoundHit {
  return { kind: 'client', title: client_id, subtitle: account_no, path: accountPath(account_no), is_exact: true };
}

function orderHit(order: FoundOrder, lower: string): FoundHit {
  const { order_id, partner_number, order_no, name, status, created_at } = order;
  return {
    kind: 'order',
    title: partner_number,
    subtitle: subtitleOf(order, order_no),
    path: `/orders/${order_id}`,
    is_exact: isSame(lower, partner_number, order_no, name),
    order_status: status,
    created_at,
  };
}

function shipmentHit(order: FoundOrder, lower: string): FoundHit {
  return {
    ...orderHit(order, lower),
    kind: 'shipment',
    title: order.shipment_no!,
    subtitle: subtitleOf(order, order.partner_number),
    is_exact: isSame(lower, order.shipment_no),
  };
}

function inboundHit(inbound: FoundInbound, lower: string): FoundHit {
  const { inbound_id, kind, partner_number, document_no, status, created_at } = inbound;
  return {
    kind,
    title: partner_number,
    subtitle: subtitleOf(inbound, document_no),
    path: `/inbound/${inbound_id}`,
    is_exact: isSame(lower, partner_number, document_no),
    inbound_status: status,
    created_at,
  };
}

function productHit(product: FoundProduct, { text, lower }: SearchTerm): FoundHit {
  const { product_id, sku_id, name, is_coded } = product;
  return {
    kind: 'sku',
    title: is_coded ? text : sku_id,
    subtitle: subtitleOf(product, is_coded ? sku_id : name),
    path: `/products/${product_id}`,
    is_exact: is_coded || isSame(lower, sku_id),
  };
}

function subtitleOf({ account_no }: { account_no: string }, more: string): string {
  return `${account_no} · ${more}`;
}

/** The same document may be found by several of its numbers: the number that is the whole text, or else the first. */
function distinctByPath(hits: FoundHit[]): FoundHit[] {
  const seen = new Set<string>();
  return exactFirst(hits).filter(({ kind, path }) => {
    const isNew = !seen.has(path) || kind === 'client';
    seen.add(path);
    return isNew;
  });
}

function exactFirst(hits: FoundHit[]): FoundHit[] {
  return [...hits.filter(({ is_exact }) => is_exact), ...hits.filter(({ is_exact }) => !is_exact)];
}
