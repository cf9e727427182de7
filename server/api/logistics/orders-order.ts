import {
  makeShippingOrderBody,
  type ShippingOrderBody,
  type ShippingOrderRetval,
} from '../../../contract/logistics/shipping-order.ts';
import type { WebAddress } from '../../../contract/values.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { ShippingOrderContent } from '../../domain/orders/shipping-order.ts';
import { done, notDoneAt } from '../../http/done-envelope.ts';
import { endpoint } from '../../http/endpoint.ts';
import { exact, storageTypeOf, textOrNull } from './items.ts';
import { actorOf, type LogisticsCaller } from './logistics-contract.ts';

/** Creates a shipping order. A known number with the same body is a repeat, with a different body a conflict. */
export function ordersOrder(
  { submitShippingOrder }: Pick<DomainOperations, 'submitShippingOrder'>,
  CallbackUrl: typeof WebAddress,
) {
  const body = makeShippingOrderBody(CallbackUrl);
  return endpoint<LogisticsCaller, typeof body>({
    path: '/orders/order',
    body,
    documentNo: (order) => order.internal_name,
    async handle(caller, order, request) {
      const outcome = await submitShippingOrder({
        key: caller.key,
        partnerNumber: order.internal_name,
        content: contentOf(order),
        cause: { actor: actorOf(caller), traceId: request.id },
      });
      switch (outcome.kind) {
        case 'created':
        case 'repeated': {
          const retval: ShippingOrderRetval = {
            document_no: order.internal_name,
            status: outcome.status,
            idempotent: outcome.kind === 'repeated',
          };
          return done(retval);
        }
        case 'conflict':
          return notDoneAt(['internal_name'], errorMessage('internal_name_reused'), 409);
        default:
          return outcome satisfies never;
      }
    },
  });
}

function contentOf(order: ShippingOrderBody): ShippingOrderContent {
  return {
    name: order.name,
    customerName: order.customer_name,
    recipient: {
      name: order.delivery_name,
      phone: order.phone,
      address: textOrNull(order.address),
      city: textOrNull(order.city),
    },
    deliveryCharge: exact(order.delivery_charge),
    note: textOrNull(order.note),
    labelData: order.store_pickup_label_data ?? null,
    callbackUrl: order.callback_url ?? null,
    items: order.products.map((item) => ({
      skuId: item.sku,
      qty: item.quantity,
      batchId: textOrNull(item.batch),
      comboSku: textOrNull(item.combo_sku),
      name: textOrNull(item.name),
      storageType: storageTypeOf(item.storage_type),
      price: item.price === undefined || item.price === null ? null : exact(item.price),
      identifier: textOrNull(item.identifier),
    })),
  };
}
