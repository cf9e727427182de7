import {
  type CallbackBody,
  type ErrorCode,
  LadingError,
  type Reply,
  type ServiceResponse,
  type VerifiedCallback,
  type WarehouseClient,
} from '../../sdk/client.ts';

/** This file is compiled and never run: it holds what the types of the SDK promise to its users. */

type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

export function narrowsByEvent(callback: VerifiedCallback): string {
  if (callback.event === 'order.shipped') {
    true satisfies Same<typeof callback.shipment_no, string>;
    true satisfies Same<typeof callback.status, 'shipped'>;
    return callback.parcels.map((parcel) => parcel.shipment_no).join();
  }
  if (callback.event === 'order.undelivered') return `${callback.reason} ${callback.shipment_no.length}`;
  if (callback.event === 'order.cancelled') {
    true satisfies Same<typeof callback.shipment_no, string | null>;
    // @ts-expect-error: a cancelled order has no parcels.
    return callback.parcels;
  }
  // @ts-expect-error: there is no such event.
  if (callback.event === 'order.shiped') return '';
  return callback.document_no;
}

export function narrowsWithoutDuplicate({ duplicate, ...callback }: VerifiedCallback): number {
  if (callback.document_type === 'order') return callback.received === null ? 0 : 1;
  return duplicate ? 0 : callback.received.length;
}

export function isExhaustive(event: CallbackBody['event']): 'order' | 'form' {
  switch (event) {
    case 'order.partially_shipped':
    case 'order.shipped':
    case 'order.arrived':
    case 'order.delivered':
    case 'order.undelivered':
    case 'order.cancelled':
      return 'order';
    case 'inbound.received':
    case 'inbound.stopped':
    case 'inbound.cancelled':
    case 'return.received':
    case 'return.stopped':
    case 'return.cancelled':
      return 'form';
    default:
      return event satisfies never;
  }
}

export function findsMisspelledCodes(error: unknown): ErrorCode | null {
  if (!(error instanceof LadingError)) return null;
  const [first] = error.errors;
  // @ts-expect-error: the code is `insufficient_stock`.
  if (first?.code === 'insuficient_stock') return null;
  return first?.code === 'insufficient_stock' ? first.code : null;
}

export async function hasResponses(warehouse: WarehouseClient): Promise<ServiceResponse> {
  const reply = warehouse.productSync({ sku_id: 'TEA-1', sku_name: 'Tea', storage_type: 1 }, { timeoutSeconds: 5 });
  true satisfies Same<typeof reply, Reply<Awaited<typeof reply>>>;
  const { data, ...response } = await reply.withResponse();
  true satisfies Same<typeof data, Awaited<typeof reply>>;
  const { responses } = await warehouse.stockQuery(['TEA-1']).withResponses();
  return responses[0] ?? response;
}
