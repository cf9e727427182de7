import type { Clock } from '../../platform/clock.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import { distinctLotKeys, type Lot } from '../stock/lot.ts';
import type { Cause } from '../stock/movement.ts';
import { lockLotsByKey, recordMovements, takeLotIds } from '../stock/stock-queries.ts';
import type { ArrivedUnits } from './arrived-units.ts';
import {
  type Awaited,
  awaitedAfter,
  type DeliveryContent,
  type DeliveryMistake,
  deliveryDigest,
  hasAllCome,
  mistakesIn,
} from './delivery.ts';
import { alsoOfAccounts, type FormNotifications, findFormNotifications } from './form-notifications.ts';
import { type InboundStatus, inboundAfter } from './inbound-document.ts';
import {
  type BroughtUnits,
  findReceipts,
  type InboundMove,
  type InboundName,
  inboundsByAccount,
  insertReceipts,
  type KnownReceipt,
  type LockedInbound,
  lockInboundsByName,
  moveInbounds,
  type NewReceipt,
  nameText,
  unitsAnnouncedBy,
  unitsBroughtBy,
} from './inbound-queries.ts';
import { type Arriving, makeReceipts } from './receipts.ts';
import type { ReturnReason } from './return-reason.ts';

export interface ReceiveRequest {
  accountId: number;
  name: InboundName;
  /** null: the receipt has no number, so it counts each time it is sent. */
  receiptNo: string | null;
  payloadDigest: string;
  /** Only of a return, and only with a number. A repeat keeps the reason that was stored first. */
  returnReason: ReturnReason | null;
  /** productId is null if the product is not registered. */
  lines: (ArrivedUnits & { productId: number | null })[];
  /** No more units will come, whatever was announced. */
  isFinal: boolean;
  cause: Cause;
}

export type ReceiveOutcome =
  | { kind: 'counted'; status: InboundStatus }
  /** The receipt number exists with the same content: nothing is counted again. */
  | { kind: 'repeated'; status: InboundStatus }
  /** The receipt number exists with different content. */
  | { kind: 'conflict' }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: InboundStatus }
  /** The document has been received in too many portions. */
  | { kind: 'too_many_portions'; portionsMax: number }
  | { kind: 'refused'; mistakes: DeliveryMistake[] };

export type ReceiveInbounds = GroupOperation<ReceiveRequest, ReceiveOutcome>;

/**
 * Counts received units into the lots in which they were found, and queues the callbacks of forms that are complete
 * with them.
 */
export function makeReceiveInbounds({
  clock,
  formatCallback,
}: {
  clock: Clock;
  formatCallback: FormatCallback;
}): ReceiveInbounds {
  async function run(tx: Tx, requests: ReceiveRequest[]): Promise<Decision<ReceiveOutcome[]>> {
    const documents = await lockInboundsByName(
      tx,
      requests.map((request) => request.name),
    );
    const found = await lookAt(tx, requests, documents);

    const { outcomes, moves, receipts, stock, completed } = decide(requests, found);
    const notifications = await alsoOfAccounts(
      tx,
      found.notifications,
      completed.map(({ document }) => document),
    );
    const owed = completed.flatMap(({ document, arrived }) =>
      notifications.callbackFor({ ...document, arrived }, { now: clock.now(), format: formatCallback }),
    );

    const writes: Promise<unknown>[] = [];
    if (moves.length > 0) writes.push(moveInbounds(tx, moves));
    if (receipts.length > 0) writes.push(insertReceipts(tx, receipts));
    if (stock.movements.length > 0) writes.push(recordMovements(tx, stock.movements, stock.newLots));
    if (owed.length > 0) writes.push(...oweCallbacks(tx, owed));
    return { answer: outcomes, writes };
  }

  return { name: 'receive_inbounds', run, weightOf: ({ lines }) => 1 + lines.length };
}

interface Found {
  documents: LockedInbound[];
  announced: { inboundId: number; productId: number; qty: number }[];
  brought: BroughtUnits[];
  known: KnownReceipt[];
  notifications: FormNotifications;
  lots: Lot[];
  lotIds: number[];
}

/**
 * Runs after the documents are locked, so that the result stays valid. Only then are the warehouses of their lots
 * known.
 */
async function lookAt(tx: Tx, requests: ReceiveRequest[], documents: LockedInbound[]): Promise<Found> {
  if (documents.length === 0) {
    return {
      documents,
      announced: [],
      brought: [],
      known: [],
      notifications: await findFormNotifications(tx, []),
      lots: [],
      lotIds: [],
    };
  }
  const all = inboundsByAccount(documents);
  const forms = inboundsByAccount(documents.filter(({ isLogistics }) => isLogistics));
  const receiptNos = requests.flatMap(({ receiptNo }) => receiptNo ?? []);
  const byName = documentsByName(documents);
  const arriving = requests.flatMap((request) => arrivingWith(request, byName.get(nameText(request.name))));
  const lotKeys = distinctLotKeys(arriving.map(({ lot }) => lot));
  const [announced, brought, known, notifications, lots, lotIds] = await Promise.all([
    unitsAnnouncedBy(tx, all),
    unitsBroughtBy(tx, all),
    receiptNos.length > 0 ? findReceipts(tx, all, receiptNos) : [],
    findFormNotifications(tx, forms),
    lotKeys.length > 0 ? lockLotsByKey(tx, lotKeys) : [],
    lotKeys.length > 0 ? takeLotIds(tx, lotKeys.length) : [],
  ]);
  return { documents, announced, brought, known, notifications, lots, lotIds };
}

function documentsByName(documents: LockedInbound[]): Map<string, LockedInbound> {
  return new Map(documents.map((document) => [nameText(document), document]));
}

function arrivingWith({ lines }: ReceiveRequest, document: LockedInbound | undefined): Arriving[] {
  if (!document) return [];
  const { accountId, warehouseNo } = document;
  return lines.flatMap(({ skuId, productId, stockType, batchId, expireDate, qty }, lineIndex) =>
    productId === null
      ? []
      : [{ lineIndex, skuId, qty, lot: { accountId, productId, warehouseNo, stockType, batchId, expireDate } }],
  );
}

/** A document that is now complete, and all units received for it. */
interface Completed {
  document: LockedInbound;
  arrived: ArrivedUnits[];
}

function decide(requests: ReceiveRequest[], { documents, announced, brought, known, lots, lotIds }: Found) {
  const byName = documentsByName(documents);
  const progressOf = progressOfEach(documents, announced, brought);
  const receiptKey = (inboundId: number, receiptNo: string) => `${inboundId}/${receiptNo}`;
  const knownReceipts = new Map(known.map((receipt) => [receiptKey(receipt.inboundId, receipt.receiptNo), receipt]));
  const stock = makeReceipts(lots, lotIds);
  const moves: InboundMove[] = [];
  const receipts: NewReceipt[] = [];
  const completed: Completed[] = [];

  function receive(request: ReceiveRequest): ReceiveOutcome {
    const document = byName.get(nameText(request.name));
    if (!document) return { kind: 'not_found' };
    const { receiptNo, payloadDigest } = request;
    // Checked before the state: a repeat must get its answer even if the document has been closed since.
    const original = receiptNo === null ? undefined : knownReceipts.get(receiptKey(document.inboundId, receiptNo));
    if (!original) return count(document, request);
    return original.payloadDigest === payloadDigest
      ? { kind: 'repeated', status: document.status }
      : { kind: 'conflict' };
  }

  function count(document: LockedInbound, request: ReceiveRequest): ReceiveOutcome {
    const { inboundId, accountId, overDeliveryPercent } = document;
    const { lines, isFinal, cause } = request;
    const progress = progressOf.get(inboundId)!;
    const awaited = awaitedAfter(progress.awaited, lines);
    const event = isFinal || hasAllCome(awaited.values()) ? 'complete' : 'receive';
    const status = inboundAfter(document.status, event);
    if (status === null) return { kind: 'too_late', status: document.status };
    // A final receipt without units is always accepted.
    if (progress.portions + lines.length > portionsMax && lines.length > 0)
      return { kind: 'too_many_portions', portionsMax };

    const arriving = arrivingWith(request, document);
    const overfull = stock.firstOverfull(arriving);
    const mistakes = mistakesIn(lines, progress.awaited, overDeliveryPercent);
    if (overfull) mistakes.push({ kind: 'overfull', ...overfull });
    if (mistakes.length > 0) return { kind: 'refused', mistakes };

    stock.receive({ accountId, inboundId, cause }, arriving);
    progress.awaited = awaited;
    progress.portions += lines.length;
    progress.arrived.push(...lines);
    moves.push({ accountId, inboundId, status: document.status, event, cause });
    document.status = status;
    if (event === 'complete') completed.push({ document, arrived: progress.arrived });
    keepNumberOf(document, request);
    return { kind: 'counted', status };
  }
  function keepNumberOf({ inboundId, accountId }: LockedInbound, request: ReceiveRequest): void {
    const { receiptNo, payloadDigest, returnReason } = request;
    if (receiptNo === null) return;
    const receipt = { inboundId, receiptNo, payloadDigest, accountId, returnReason };
    receipts.push(receipt);
    knownReceipts.set(receiptKey(inboundId, receiptNo), receipt);
  }

  return { outcomes: requests.map(receive), moves, receipts, stock, completed };
}

/** The units that a document expects, by product, and those it has received so far. */
interface Progress {
  awaited: Map<number, Awaited>;
  arrived: ArrivedUnits[];
  portions: number;
}

/** Each receipt sums up all earlier ones, on a connection that all accounts share: this many take 50 ms. */
const portionsMax = 100_000;

function progressOfEach(
  documents: LockedInbound[],
  announced: Found['announced'],
  brought: BroughtUnits[],
): Map<number, Progress> {
  const announcedBy = Map.groupBy(announced, (one) => one.inboundId);
  const broughtBy = Map.groupBy(brought, (units) => units.inboundId);
  return new Map(
    documents.map(({ inboundId }) => {
      const arrived = broughtBy.get(inboundId) ?? [];
      const announcedHere = (announcedBy.get(inboundId) ?? []).map(({ productId, qty }) => ({
        productId,
        announced: qty,
        received: 0,
      }));
      const awaited = awaitedAfter(new Map(announcedHere.map((one) => [one.productId, one])), arrived);
      return [
        inboundId,
        { awaited, arrived: [...arrived], portions: arrived.reduce((sum, one) => sum + one.portions, 0) },
      ];
    }),
  );
}

/** A receipt as the warehouse sent it. */
export interface SubmittedReceipt {
  name: InboundName;
  receiptNo: string | null;
  returnReason?: ReturnReason | null;
  content: DeliveryContent;
  cause: Cause;
}

export type SubmitReceipt = (receipt: SubmittedReceipt) => Promise<ReceiveOutcome>;

/** Looks up the products of a receipt, then counts it with the next group. */
export function makeSubmitReceipt(parts: {
  products: ProductDirectory;
  receive(request: ReceiveRequest): Promise<ReceiveOutcome>;
}): SubmitReceipt {
  const { products, receive } = parts;
  return async ({ name, receiptNo, returnReason = null, content, cause }) => {
    const { accountId } = name;
    const { lines, isFinal } = content;
    return await receive({
      accountId,
      name,
      receiptNo,
      payloadDigest: deliveryDigest(content),
      returnReason,
      lines: await products.withProductIds(accountId, lines),
      isFinal,
      cause,
    });
  };
}
