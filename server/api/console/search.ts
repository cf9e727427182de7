import { type FoundHit, searchFind } from '../../../contract/console/search.ts';
import {
  type FoundInbound,
  type FoundOrder,
  type FoundProduct,
  findCallbackByEvent,
  findClient,
  findInboundsByNumber,
  findOrderByTransfer,
  findOrdersByName,
  findOrdersByNumber,
  findOrdersByShipment,
  findProductsByCode,
  findProductsBySku,
} from '../../domain/overview/find-number-queries.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import { findRequest } from '../../domain/requests/request-log-queries.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { ownOf } from './own-warehouses.ts';

const hitsMax = 12;
const accountsMax = 5;
/** Shorter texts match too many numbers to be useful. */
const textLengthMin = 2;

/** The search behind Ctrl+K. */
export function searchFindCall({ directory }: Pick<ConsoleParts, 'directory'>): ConsoleEndpoint {
  return consoleEndpoint(searchFind, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, { text: given }) {
      const { reads } = caller;
      const own = ownOf(caller);
      const text = given.trim();
      if (text.length < textLengthMin) return { hits: [] };
      const hits = isUuid(text)
        ? await hitsById(reads, text.toLowerCase(), own)
        : await hitsByNumber(reads, directory, text, own);
      return { hits: exactFirst(distinctByPath(hits), text).slice(0, hitsMax) };
    },
  });
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
    hits.push({ kind: 'trace', title: id, subtitle, path: `/requests/${id}` });
  }
  if (callback) {
    const subtitle = `${callback.account_no} · ${callback.event} · ${callback.document_no}`;
    hits.push({ kind: 'callback', title: id, subtitle, path: `/callbacks/${callback.callback_id}` });
  }
  if (transferred) hits.push(orderHit(transferred));
  return hits;
}

async function hitsByNumber(
  reads: Reader,
  directory: AccountDirectory,
  text: string,
  own: number[] | null,
): Promise<FoundHit[]> {
  const [[orders, named, shipped, inbounds, products, coded, client]] = await Promise.all([
    reads.read(noAccounts, (sql) =>
      Promise.all([
        findOrdersByNumber(sql, text, own),
        findOrdersByName(sql, text, own),
        findOrdersByShipment(sql, text, own),
        findInboundsByNumber(sql, text, own),
        findProductsBySku(sql, text),
        findProductsByCode(sql, text),
        findClient(sql, text),
      ]),
    ),
    directory.allNow(),
  ]);
  return [
    ...accountsLike(directory, text),
    ...(client
      ? [
          {
            kind: 'client' as const,
            title: client.client_id,
            subtitle: client.account_no,
            path: accountPath(client.account_no),
          },
        ]
      : []),
    ...orders.map(orderHit),
    ...named.map(orderHit),
    ...shipped.map((order) => ({
      ...orderHit(order),
      kind: 'shipment' as const,
      title: order.shipment_no!,
      subtitle: subtitleOf(order, order.partner_number),
    })),
    ...inbounds.map(inboundHit),
    ...products.map(productHit),
    ...coded.map((product) => ({ ...productHit(product), title: text, subtitle: subtitleOf(product, product.sku_id) })),
  ];
}

function accountsLike(directory: AccountDirectory, text: string): FoundHit[] {
  return [...directory.known().keys()]
    .filter((accountNo) => accountNo.toLowerCase().startsWith(text.toLowerCase()))
    .toSorted()
    .slice(0, accountsMax)
    .map((accountNo) => ({ kind: 'account', title: accountNo, subtitle: '', path: accountPath(accountNo) }));
}

function accountPath(accountNo: string): string {
  return `/partners/accounts/${encodeURIComponent(accountNo)}`;
}

function orderHit(order: FoundOrder): FoundHit {
  return {
    kind: 'order',
    title: order.partner_number,
    subtitle: subtitleOf(order, order.order_no),
    path: `/orders/${order.order_id}`,
  };
}

function inboundHit(inbound: FoundInbound): FoundHit {
  const { inbound_id, partner_number, document_no } = inbound;
  return {
    kind: 'inbound',
    title: partner_number,
    subtitle: subtitleOf(inbound, document_no),
    path: `/inbound/${inbound_id}`,
  };
}

function productHit(product: FoundProduct): FoundHit {
  return {
    kind: 'sku',
    title: product.sku_id,
    subtitle: subtitleOf(product, product.name),
    path: `/products/${product.product_id}`,
  };
}

function subtitleOf({ account_no }: { account_no: string }, more: string): string {
  return `${account_no} · ${more}`;
}

/** The same document may be found by several of its numbers. */
function distinctByPath(hits: FoundHit[]): FoundHit[] {
  const seen = new Set<string>();
  return hits.filter(({ kind, path }) => {
    const isNew = !seen.has(path) || kind === 'client';
    seen.add(path);
    return isNew;
  });
}

function exactFirst(hits: FoundHit[], text: string): FoundHit[] {
  const isExact = ({ title, subtitle }: FoundHit) => title === text || subtitle.endsWith(` · ${text}`);
  return [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))];
}
