import type { Clock } from '../../platform/clock.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import { sendInTurns } from '../../platform/postgres/send-in-turns.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { mustBeKept, targetOfTenant } from '../callbacks/account-callbacks.ts';
import type { FormatCallback, OwedCallback } from '../callbacks/callback.ts';
import { keepCallbackTargets, type NewTarget, oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { type AccountDirectory, findTenant, type KnownAccount } from '../partners/account-directory.ts';
import type { Tenant } from '../partners/tenant.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import { distinctLotKeys, type Lot, type LotKey } from '../stock/lot.ts';
import type { Cause } from '../stock/movement.ts';
import { lockLotsByKey, movementWrites, takeLotIds } from '../stock/stock-queries.ts';
import { formCallback } from './form-notifications.ts';
import { type InboundContent, type InboundRequest, inboundDigest, newInboundNo } from './inbound-document.ts';
import {
  findInboundsByNumber,
  insertInboundLines,
  insertInbounds,
  type KnownInbound,
  type NewInbound,
  takeInboundIds,
} from './inbound-queries.ts';
import { type Arriving, makeReceipts, type Receipts } from './receipts.ts';

export type CreateInboundOutcome =
  | { kind: 'created'; documentNo: string; warehouseNo: number }
  /** The number exists: nothing is created. */
  | { kind: 'repeated'; documentNo: string; warehouseNo: number; payloadDiffers: boolean }
  | { kind: 'unknown_tenant' }
  | { kind: 'unknown_skus'; skuIds: string[] }
  | { kind: 'too_many_units'; skuId: string; unitsMax: number };

/**
 * Creates inbound documents and returns. If the tenant receives on creation, their units are on hand at once, and the
 * callbacks are queued.
 */
export function makeCreateInbounds(how: NotifiedHow): GroupOperation<InboundRequest, CreateInboundOutcome> {
  return {
    name: 'create_inbounds',
    run: (tx, requests) => run(tx, requests, how),
    weightOf: ({ lines }) => lines.length,
  };
}

interface NotifiedHow {
  clock: Clock;
  formatCallback: FormatCallback;
}

/** Only a single document can have this many: groups of several documents are smaller. */
const manyLots = 2000;

async function run(tx: Tx, requests: InboundRequest[], how: NotifiedHow): Promise<Decision<CreateInboundOutcome[]>> {
  const wanted = distinctLotKeys(requests.flatMap(lotsWanted));
  const [lots, known, inboundIds, lotIds] = await Promise.all([
    lockLotsByKey(tx, wanted),
    findInboundsByNumber(tx, requests),
    takeInboundIds(tx, requests.length),
    takeLotIds(tx, wanted.length),
  ]);

  const { outcomes, documents, receipts } = decide(requests, lots, known, inboundIds, lotIds);
  const owed = documents.filter(({ status }) => status === 'received').flatMap((document) => callbackOf(document, how));
  const targets = documents.filter(({ status }) => status !== 'received').flatMap(targetOf);

  const statements = [
    ...(documents.length > 0 ? [() => insertInbounds(tx, documents), () => insertInboundLines(tx, documents)] : []),
    ...(receipts.movements.length > 0 ? movementWrites(tx, receipts.movements, receipts.newLots) : []),
    ...(targets.length > 0 ? [() => keepCallbackTargets(tx, targets)] : []),
    ...(owed.length > 0 ? [() => Promise.all(oweCallbacks(tx, owed))] : []),
  ];
  const writes = wanted.length > manyLots ? await sendInTurns(statements) : statements.map((send) => send());
  return { answer: outcomes, writes };
}

/** Units that are received on creation are those that were announced. */
function callbackOf(document: NewInbound, { clock, formatCallback }: NotifiedHow): OwedCallback[] {
  const { callback, partnerNumber, lines } = document;
  if (callback === null) return [];
  const items = lines.map(({ skuId, qty, batchId, expireDate }) => {
    return { ...undescribed, skuId, qty, batchId: batchId || null, expireDate };
  });
  const arrived = lines.map(({ skuId, qty, batchId = '', expireDate }) => {
    return { stockType: 'good' as const, skuId, qty, batchId, expireDate };
  });
  const notified = { ...callback, callbackCount: 0, internalFormNo: partnerNumber };
  return [formCallback({ ...document, items, arrived }, notified, { now: clock.now(), format: formatCallback })];
}

const undescribed = { name: null, storageType: null, price: null, identifier: null };

function targetOf({ accountId, inboundId, kind, callback }: NewInbound): NewTarget[] {
  return mustBeKept(callback) ? [{ ...callback, accountId, type: kind, documentId: inboundId, callbackCount: 0 }] : [];
}

function lotsWanted({ accountId, tenant, lines }: InboundRequest): LotKey[] {
  if (tenant?.receiving !== 'on_create') return [];
  return lines.flatMap(({ productId, ...units }) =>
    productId === null ? [] : [lotKeyOf(accountId, tenant, { ...units, productId })],
  );
}

/** Units that are received on creation are good. */
function lotKeyOf(
  accountId: number,
  { warehouseNo }: Tenant,
  { productId, batchId = '', expireDate }: NewInbound['lines'][number],
): LotKey {
  return { accountId, productId, warehouseNo, stockType: 'good', batchId, expireDate };
}

function decide(
  requests: InboundRequest[],
  lots: Lot[],
  found: KnownInbound[],
  inboundIds: number[],
  lotIds: number[],
) {
  const known = new Map(found.map((document) => [numberText(document), document]));
  const receipts = makeReceipts(lots, lotIds);
  const documents: NewInbound[] = [];

  const outcomes = requests.map((request, index): CreateInboundOutcome => {
    const verdict = judge(request, known, receipts);
    if (verdict.kind !== 'accepted') return verdict;

    const document: NewInbound = { ...verdict.document, inboundId: inboundIds[index]!, documentNo: newInboundNo() };
    documents.push(document);
    known.set(numberText(document), { ...document, warehouseNo: document.tenant.warehouseNo });
    if (document.status === 'received') receipts.receive(document, arrivingWith(document));
    return { kind: 'created', documentNo: document.documentNo, warehouseNo: document.tenant.warehouseNo };
  });
  return { outcomes, documents, receipts };
}

/** Two accounts may use the same number. */
function numberText({ accountId, partnerNumber }: { accountId: number; partnerNumber: string }): string {
  return `${accountId}/${partnerNumber}`;
}

function arrivingWith({ accountId, tenant, lines }: Pick<NewInbound, 'accountId' | 'tenant' | 'lines'>): Arriving[] {
  return lines.map((line, lineIndex) => {
    const { skuId, qty } = line;
    return { lineIndex, skuId, qty, lot: lotKeyOf(accountId, tenant, line) };
  });
}

type Verdict =
  | Exclude<CreateInboundOutcome, { kind: 'created' }>
  | { kind: 'accepted'; document: Omit<NewInbound, 'inboundId' | 'documentNo'> };

/** In the order in which the contract checks: a repeat is answered as a repeat whatever else it contains. */
function judge(request: InboundRequest, known: Map<string, KnownInbound>, receipts: Receipts): Verdict {
  const original = known.get(numberText(request));
  if (original) return repeatOf(original, request);
  const { accountId, tenant } = request;
  if (tenant === null) return { kind: 'unknown_tenant' };
  const lines: NewInbound['lines'] = [];
  const unknown: string[] = [];
  for (const { productId, ...units } of request.lines) {
    if (productId === null) unknown.push(units.skuId);
    else lines.push({ ...units, productId });
  }
  if (unknown.length > 0) return { kind: 'unknown_skus', skuIds: unknown };
  if (tenant.receiving === 'on_confirm')
    return { kind: 'accepted', document: { ...request, tenant, lines, status: 'expected' } };

  const overfull = receipts.firstOverfull(arrivingWith({ accountId, tenant, lines }));
  if (overfull) return { kind: 'too_many_units', skuId: overfull.skuId, unitsMax: overfull.unitsMax };
  return { kind: 'accepted', document: { ...request, tenant, lines, status: 'received' } };
}

function repeatOf(
  original: KnownInbound,
  { payloadDigest }: InboundRequest,
): CreateInboundOutcome & { kind: 'repeated' } {
  const { documentNo, warehouseNo } = original;
  return { kind: 'repeated', documentNo, warehouseNo, payloadDiffers: original.payloadDigest !== payloadDigest };
}

/** An inbound document as a partner sent it. */
export interface SubmittedInbound {
  account: KnownAccount;
  partnerNumber: string;
  content: InboundContent;
  cause: Cause;
}

export type SubmitInbound = (document: SubmittedInbound) => Promise<CreateInboundOutcome>;

/** Looks up the tenant and the products of a document, then creates it with the next group. */
export function makeSubmitInbound(parts: {
  directory: AccountDirectory;
  products: ProductDirectory;
  create(request: InboundRequest): Promise<CreateInboundOutcome>;
}): SubmitInbound {
  const { directory, products, create } = parts;
  return async ({ account, partnerNumber, content, cause }) => {
    const { accountId } = account;
    const { kind, warehouseTpwId, estimatedArrivalMs, originalOrderNumber, lines } = content;
    const tenant = await findTenant(directory, account, warehouseTpwId);
    return await create({
      accountId,
      kind,
      partnerNumber,
      payloadDigest: inboundDigest(content),
      tenant,
      callback: tenant && targetOfTenant(warehouseTpwId, tenant, account),
      lines: await products.withProductIds(accountId, lines),
      estimatedArrivalMs,
      originalOrderNumber,
      cause,
    });
  };
}
