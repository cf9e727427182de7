import type { Tx } from '../../platform/database.ts';
import type { GroupOperation } from '../../platform/group-commit.ts';
import type { Decision } from '../../platform/session.ts';
import type { Tenant } from '../partners/tenant.ts';
import { type Lot, type LotKey, lotKeyText, lotUnitsMax } from '../stock/lot.ts';
import type { Cause, Movement } from '../stock/movement.ts';
import { lockLotsByKey, type NewLot, recordMovements, takeLotIds } from '../stock/stock-queries.ts';
import { type InboundKind, newInboundNo } from './inbound-document.ts';
import {
  findInboundsByNumber,
  insertInboundLines,
  insertInbounds,
  type KnownInbound,
  type NewInbound,
  takeInboundIds,
} from './inbound-queries.ts';

export interface InboundRequest {
  accountId: number;
  kind: InboundKind;
  partnerNumber: string;
  payloadDigest: string;
  /** null: the account has no such tenant. */
  tenant: Tenant | null;
  /** A productId of null: not registered. */
  lines: { skuId: string; productId: number | null; expireDate: string; qty: number }[];
  estimatedArrivalMs: number | null;
  originalOrderNumber: string | null;
  cause: Cause;
}

export type CreateInboundOutcome =
  | { kind: 'created'; documentNo: string; warehouseNo: number }
  /** The number is known: nothing was built anew. */
  | { kind: 'repeated'; documentNo: string; warehouseNo: number; payloadDiffers: boolean }
  | { kind: 'number_taken' }
  | { kind: 'unknown_tenant' }
  | { kind: 'unknown_skus'; skuIds: string[] }
  | { kind: 'too_many_units'; skuId: string; unitsMax: number };

/** Creates inbound documents and returns; where the tenant receives on creation, their units are on hand at once. */
export const createInbounds: GroupOperation<InboundRequest, CreateInboundOutcome> = {
  name: 'create_inbounds',
  run,
  weightOf: ({ lines }) => lines.length,
};

async function run(tx: Tx, requests: InboundRequest[]): Promise<Decision<CreateInboundOutcome[]>> {
  const wanted = [...new Map(requests.flatMap(lotsWanted).map((key) => [lotKeyText(key), key])).values()];
  const [lots, known, inboundIds, lotIds] = await Promise.all([
    lockLotsByKey(tx, wanted),
    findInboundsByNumber(
      tx,
      requests.map((request) => request.partnerNumber),
    ),
    takeInboundIds(tx, requests.length),
    takeLotIds(tx, wanted.length),
  ]);

  const { outcomes, documents, newLots, receipts } = decide(requests, lots, known, inboundIds, lotIds);

  const writes: Promise<unknown>[] = [];
  if (documents.length > 0) writes.push(insertInbounds(tx, documents), insertInboundLines(tx, documents));
  if (receipts.length > 0) writes.push(recordMovements(tx, receipts, newLots));
  return { answer: outcomes, writes };
}

function lotsWanted({ tenant, lines }: InboundRequest): LotKey[] {
  if (tenant?.receiving !== 'on_create') return [];
  return lines.flatMap(({ productId, expireDate }) => (productId === null ? [] : [lotKeyOf(tenant, productId, expireDate)]));
}

/** What comes with the creation of its document is good, and of no batch. */
function lotKeyOf({ warehouseNo }: Tenant, productId: number, expireDate: string): LotKey {
  return { productId, warehouseNo, stockType: 'good', batchId: '', expireDate };
}

function decide(requests: InboundRequest[], existing: Lot[], found: KnownInbound[], inboundIds: number[], lotIds: number[]) {
  const known = new Map(found.map((document) => [document.partnerNumber, document]));
  const lots = new Map(existing.map((lot) => [lotKeyText(lot), lot]));
  const documents: NewInbound[] = [];
  const newLots: NewLot[] = [];
  const receipts: Movement[] = [];

  function lotFor(key: LotKey, accountId: number): Lot {
    const present = lots.get(lotKeyText(key));
    if (present) return present;
    const lot = { ...key, lotId: lotIds[newLots.length]!, onHand: 0, locked: 0 };
    newLots.push({ ...lot, accountId });
    lots.set(lotKeyText(key), lot);
    return lot;
  }

  function receive({ accountId, inboundId, cause, tenant, lines }: NewInbound): void {
    const units = new Map<string, { key: LotKey; qty: number }>();
    for (const { productId, expireDate, qty } of lines) {
      const key = lotKeyOf(tenant, productId, expireDate);
      units.set(lotKeyText(key), { key, qty: (units.get(lotKeyText(key))?.qty ?? 0) + qty });
    }
    for (const { key, qty } of units.values()) {
      const lot = lotFor(key, accountId);
      lot.onHand += qty;
      receipts.push({ accountId, lotId: lot.lotId, kind: 'receive', onHandDelta: qty, lockedDelta: 0, inboundId, cause });
    }
  }

  const outcomes = requests.map((request, index): CreateInboundOutcome => {
    const verdict = judge(request, known, lots);
    if (verdict.kind !== 'accepted') return verdict;

    const document: NewInbound = { ...verdict.document, inboundId: inboundIds[index]!, documentNo: newInboundNo() };
    documents.push(document);
    known.set(document.partnerNumber, { ...document, warehouseNo: document.tenant.warehouseNo });
    if (document.status === 'received') receive(document);
    return { kind: 'created', documentNo: document.documentNo, warehouseNo: document.tenant.warehouseNo };
  });
  return { outcomes, documents, newLots, receipts };
}

type Verdict =
  | Exclude<CreateInboundOutcome, { kind: 'created' }>
  | { kind: 'accepted'; document: Omit<NewInbound, 'inboundId' | 'documentNo'> };

/** In the order in which the contract checks: a repeat is a repeat whatever else it says. */
function judge(request: InboundRequest, known: Map<string, KnownInbound>, lots: Map<string, Lot>): Verdict {
  const original = known.get(request.partnerNumber);
  if (original) return original.accountId === request.accountId ? repeatOf(original, request) : { kind: 'number_taken' };
  const { tenant } = request;
  if (tenant === null) return { kind: 'unknown_tenant' };
  const lines: NewInbound['lines'] = [];
  const unknown: string[] = [];
  for (const { skuId, productId, expireDate, qty } of request.lines) {
    if (productId === null) unknown.push(skuId);
    else lines.push({ skuId, productId, expireDate, qty });
  }
  if (unknown.length > 0) return { kind: 'unknown_skus', skuIds: unknown };
  if (tenant.receiving === 'on_confirm') return { kind: 'accepted', document: { ...request, tenant, lines, status: 'expected' } };

  const overfull = overfullSku(tenant, lines, lots);
  if (overfull !== null) return { kind: 'too_many_units', skuId: overfull, unitsMax: lotUnitsMax };
  return { kind: 'accepted', document: { ...request, tenant, lines, status: 'received' } };
}

function repeatOf(original: KnownInbound, { payloadDigest }: InboundRequest): CreateInboundOutcome & { kind: 'repeated' } {
  const { documentNo, warehouseNo } = original;
  return { kind: 'repeated', documentNo, warehouseNo, payloadDiffers: original.payloadDigest !== payloadDigest };
}

/** A sku whose lot would hold more than can be counted. */
function overfullSku(tenant: Tenant, lines: NewInbound['lines'], lots: Map<string, Lot>): string | null {
  const sums = new Map<string, number>();
  for (const { skuId, productId, expireDate, qty } of lines) {
    const key = lotKeyText(lotKeyOf(tenant, productId, expireDate));
    const sum = (sums.get(key) ?? lots.get(key)?.onHand ?? 0) + qty;
    if (sum > lotUnitsMax) return skuId;
    sums.set(key, sum);
  }
  return null;
}
