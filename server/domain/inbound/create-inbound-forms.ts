import type { Clock } from '../../platform/clock.ts';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback, OwedCallback } from '../callbacks/callback.ts';
import { keepCallbackTargets, oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { insertProducts } from '../products/product-queries.ts';
import { type DescribedProduct, openRegister, type ProductRegister } from '../products/register-products.ts';
import { distinctLotKeys, type Lot } from '../stock/lot.ts';
import { lockLotsByKey, recordMovements, takeLotIds } from '../stock/stock-queries.ts';
import { formCallback } from './form-notifications.ts';
import { type InboundStatus, newInboundNo } from './inbound-document.ts';
import type { FormItem, InboundFormRequest } from './inbound-form.ts';
import {
  findForms,
  insertFormDetails,
  insertFormLines,
  insertForms,
  type KnownForm,
  type NewForm,
} from './inbound-form-queries.ts';
import { takeInboundIds } from './inbound-queries.ts';
import { type Arriving, makeReceipts, type Overfull, type Receipts } from './receipts.ts';

export type CreateFormOutcome =
  | { kind: 'created'; status: InboundStatus }
  /** The number exists with the same content: nothing is created. */
  | { kind: 'repeated'; status: InboundStatus }
  /** The number exists with different content. */
  | { kind: 'conflict' }
  | ({ kind: 'too_many_units' } & Overfull);

/**
 * Creates inbound and return forms. If the key receives on creation, their units are on hand at once, and the sender is
 * notified; with `receive_after_s` a job receives them later.
 */
export function makeCreateInboundForms(parts: {
  clock: Clock;
  formatCallback: FormatCallback;
}): GroupOperation<InboundFormRequest, CreateFormOutcome> {
  async function run(tx: Tx, requests: InboundFormRequest[]): Promise<Decision<CreateFormOutcome[]>> {
    const register = await openRegister(tx, requests.flatMap(productsOf));
    const wanted = requests.flatMap((request) =>
      arriving(request, request.lines, (line) => register.find({ ...line, accountId: request.accountId })),
    );
    const lineCount = requests.reduce((sum, { lines }) => sum + lines.length, 0);
    const [lots, known, inboundIds, lotIds] = await Promise.all([
      lockLotsByKey(tx, distinctLotKeys(wanted.map(({ lot }) => lot))),
      findForms(tx, requests),
      takeInboundIds(tx, requests.length),
      takeLotIds(tx, lineCount),
    ]);

    const found = { lots, known, inboundIds, lotIds, register };
    const { outcomes, forms, receipts } = decide(requests, found, parts.clock.now());

    return { answer: outcomes, writes: forms.length > 0 ? write(tx, forms, receipts, register) : [] };
  }

  function write(tx: Tx, forms: NewForm[], receipts: Receipts, register: ProductRegister): Promise<unknown>[] {
    const products = register.added();
    const owed = forms.filter(({ status }) => status === 'received').map(callbackFor);
    const withoutCallback = forms.filter(({ status }) => status !== 'received').map(targetOf);
    return [
      ...(products.length > 0 ? [insertProducts(tx, products)] : []),
      insertForms(tx, forms),
      insertFormDetails(tx, forms),
      insertFormLines(tx, forms),
      ...(receipts.movements.length > 0 ? [recordMovements(tx, receipts.movements, receipts.newLots)] : []),
      ...(withoutCallback.length > 0 ? [keepCallbackTargets(tx, withoutCallback)] : []),
      ...(owed.length > 0 ? oweCallbacks(tx, owed) : []),
    ];
  }

  function callbackFor(form: NewForm): OwedCallback {
    const { content, lines } = form;
    const items = lines.map((line) => ({ ...line, batchId: line.batchId || null }));
    const arrived = lines.map(({ skuId, batchId, expireDate, qty }) => ({
      skuId,
      stockType: 'good' as const,
      batchId,
      expireDate,
      qty,
    }));
    const notified = { ...targetOf(form), internalFormNo: content.internalFormNo };
    return formCallback({ ...form, kind: content.kind, items, arrived }, notified, {
      now: parts.clock.now(),
      format: parts.formatCallback,
    });
  }

  return { name: 'create_inbound_forms', run, weightOf: ({ lines }) => lines.length };
}

function targetOf({ accountId, inboundId, key, content }: NewForm) {
  const { kind, callbackUrl } = content;
  return { accountId, type: kind, documentId: inboundId, keyName: key.name, url: callbackUrl, callbackCount: 0 };
}

function productsOf({ accountId, lines }: InboundFormRequest): DescribedProduct[] {
  return lines.map(({ skuId, productId, name, storageType }) => ({ accountId, skuId, productId, name, storageType }));
}

function isReceivedAtOnce({ receiving, receiveAfterSeconds }: InboundFormRequest['key']): boolean {
  return receiving === 'on_create' && receiveAfterSeconds === 0;
}

/** null: the form is received at once, or when the warehouse reports it. */
function receiveAtOf(key: InboundFormRequest['key'], now: Date): Date | null {
  if (key.receiving !== 'on_create' || isReceivedAtOnce(key)) return null;
  return new Date(now.getTime() + key.receiveAfterSeconds * 1000);
}

/** Units that are received on creation are good, also those of returns. */
function arriving<Line extends FormItem>(
  { accountId, key }: InboundFormRequest,
  lines: Line[],
  productIdOf: (line: Line) => number | null,
): Arriving[] {
  if (!isReceivedAtOnce(key)) return [];
  return lines.flatMap((line, lineIndex) => {
    const { skuId, qty, batchId, expireDate } = line;
    const productId = productIdOf(line);
    return productId === null
      ? []
      : [
          {
            lineIndex,
            skuId,
            qty,
            lot: {
              accountId,
              productId,
              warehouseNo: key.warehouseNo,
              stockType: 'good' as const,
              batchId,
              expireDate,
            },
          },
        ];
  });
}

interface Found {
  lots: Lot[];
  known: KnownForm[];
  inboundIds: number[];
  lotIds: number[];
  register: ProductRegister;
}

function decide(requests: InboundFormRequest[], { lots, known, inboundIds, lotIds, register }: Found, now: Date) {
  const numberOf = ({ accountId, partnerNumber }: { accountId: number; partnerNumber: string }) =>
    `${accountId}/${partnerNumber}`;
  const originals = new Map(known.map((form) => [numberOf(form), form]));
  const receipts = makeReceipts(lots, lotIds);
  const forms: NewForm[] = [];

  function create(request: InboundFormRequest, inboundId: number): CreateFormOutcome {
    const { accountId, key, cause } = request;
    // This check runs before any product is registered: an unknown product has an empty lot, and a single form cannot
    // fill it.
    const overfull = receipts.firstOverfull(
      arriving(request, request.lines, (line) => register.find({ ...line, accountId })),
    );
    if (overfull) return { kind: 'too_many_units', ...overfull };

    const lines = request.lines.map((line) => ({ ...line, productId: register.idOf({ ...line, accountId }) }));
    const status = isReceivedAtOnce(key) ? 'received' : 'expected';
    receipts.receive(
      { accountId, inboundId, cause },
      arriving(request, lines, (line) => line.productId),
    );
    const receiveAt = receiveAtOf(key, now);
    const form: NewForm = { ...request, lines, inboundId, documentNo: newInboundNo(), status, receiveAt };
    forms.push(form);
    originals.set(numberOf(form), form);
    return { kind: 'created', status };
  }

  const outcomes = requests.map((request, index): CreateFormOutcome => {
    const original = originals.get(numberOf(request));
    if (original && original.payloadDigest !== request.payloadDigest) return { kind: 'conflict' };
    return original ? { kind: 'repeated', status: original.status } : create(request, inboundIds[index]!);
  });
  return { outcomes, forms, receipts };
}
