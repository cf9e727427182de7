import { contentDigest } from '../../platform/json/content-digest.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { keepCallbackTargets } from '../callbacks/owed-callback-queries.ts';
import { newInboundNo } from '../inbound/inbound-document.ts';
import { insertFormDetails, insertFormLines, insertForms, type NewForm } from '../inbound/inbound-form-queries.ts';
import { insertInboundLines, insertInbounds, type NewInbound } from '../inbound/inbound-queries.ts';
import type { Cause } from '../stock/movement.ts';
import type { LockedOrder } from './order-queries.ts';
import type { ParcelUnits } from './parcel.ts';
import { linkReturns, type ReturnPlace } from './return-queries.ts';

/** An order that did not reach its recipient, and the units that come back. */
export interface ReturnedGoods {
  order: LockedOrder;
  units: ParcelUnits[];
  cause: Cause;
}

export interface ExpectedReturns {
  /** Our number for the return of each order. */
  numberOf: Map<number, string>;
  write(tx: Tx): Promise<unknown>[];
}

type Expected = ReturnedGoods & { place: ReturnPlace; inboundId: number; documentNo: string };

/**
 * Announces the goods of orders that come back, as returns of the channel of their orders. Whatever rule the tenant has,
 * the warehouse reports them when they arrive, and grades them. Our own number is also the number of the document,
 * because no partner has given it one.
 */
export function expectReturns(
  goods: ReturnedGoods[],
  { returnPlaces, returnIds }: { returnPlaces: ReturnPlace[]; returnIds: number[] },
): ExpectedReturns {
  const placeOf = new Map(returnPlaces.map((place) => [place.orderId, place]));
  const expected = goods.map((one, index) => ({
    ...one,
    place: placeOf.get(one.order.orderId)!,
    inboundId: returnIds[index]!,
    documentNo: newInboundNo(),
  }));
  return {
    numberOf: new Map(expected.map(({ order, documentNo }) => [order.orderId, documentNo])),
    write: (tx) => (expected.length === 0 ? [] : write(tx, expected)),
  };
}

function write(tx: Tx, expected: Expected[]): Promise<unknown>[] {
  const forms = expected.filter(({ order }) => order.isLogistics).map(formOf);
  const documents = expected.filter(({ order }) => !order.isLogistics).map(documentOf);
  const targets = expected.flatMap(({ order: { accountId }, inboundId, place: { keyName, url } }) =>
    keyName === null || url === null
      ? []
      : [{ accountId, type: 'return' as const, documentId: inboundId, keyName, url, callbackCount: 0 }],
  );
  const links = expected.map(({ order: { accountId, orderId }, inboundId }) => ({ accountId, orderId, inboundId }));
  return [
    ...(forms.length > 0 ? [insertForms(tx, forms), insertFormDetails(tx, forms), insertFormLines(tx, forms)] : []),
    ...(documents.length > 0 ? [insertInbounds(tx, documents), insertInboundLines(tx, documents)] : []),
    linkReturns(tx, links),
    ...(targets.length > 0 ? [keepCallbackTargets(tx, targets)] : []),
  ];
}

/** The same in both channels. */
function sharedOf({ order, place, inboundId, documentNo, cause, units }: Expected) {
  return {
    rules: {
      warehouseNo: place.warehouseNo,
      storeNo: place.storeNo,
      receiving: 'on_confirm' as const,
      receiveAfterSeconds: 0,
      overDeliveryPercent: 0,
    },
    document: {
      accountId: order.accountId,
      inboundId,
      documentNo,
      partnerNumber: documentNo,
      payloadDigest: contentDigest([order.partnerNumber, ...units.map(({ lotId, qty }) => [lotId, qty])]),
      status: 'expected' as const,
      cause,
    },
  };
}

function documentOf(expected: Expected): NewInbound {
  const { rules, document } = sharedOf(expected);
  return {
    ...document,
    kind: 'return',
    tenant: { ...rules, sellableDaysBeforeExpiry: null, callbackUrl: null },
    callback: null,
    lines: expected.units.map(({ skuId, productId, expireDate, qty }) => ({ skuId, productId, expireDate, qty })),
    estimatedArrivalMs: null,
    originalOrderNumber: expected.order.partnerNumber,
  };
}

function formOf(expected: Expected): NewForm {
  const { rules, document } = sharedOf(expected);
  const { order, place, units } = expected;
  return {
    ...document,
    receiveAt: null,
    key: { ...rules, name: place.keyName ?? '' },
    content: {
      kind: 'return',
      internalFormNo: order.partnerNumber,
      shippingType: 'logistics_delivery',
      sender: { name: null, address: null },
      callbackUrl: place.url ?? '',
    },
    lines: units.map(({ skuId, productId, batchId, expireDate, qty }) => ({
      ...{ skuId, productId, batchId, expireDate, qty },
      ...{ name: null, storageType: null, price: null, identifier: null },
    })),
  };
}
