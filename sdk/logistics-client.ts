import { retvalOf } from './done-envelope.ts';
import { type Reply, replyOf } from './reply.ts';
import { requireTexts } from './required.ts';
import { type CallOptions, type ClientOptions, send } from './send.ts';
import type {
  CallbackTestBody,
  CallbackTestRetval,
  InboundFormBody,
  InboundFormRetval,
  ShippingOrderBody,
  ShippingOrderRetval,
} from './wire.ts';

export interface LogisticsClientOptions extends ClientOptions {
  apiKey: string;
  /** The path segment that the operator uses instead of `logistics`. */
  segment?: string;
}

/**
 * The logistics webhook. Orders and forms can be repeated safely: the same number with the same body returns `idempotent:
 * true`.
 */
export class LogisticsClient {
  readonly #options: LogisticsClientOptions;

  constructor(options: LogisticsClientOptions) {
    requireTexts(options, 'apiKey');
    this.#options = options;
  }

  /** Sends a shipping order; if stock is insufficient, it waits (`awaiting_stock`). */
  shippingOrder(body: ShippingOrderBody, options?: CallOptions): Reply<ShippingOrderRetval> {
    return this.#call('/orders/order', body, options);
  }

  /** Sends an inbound form, a return form, or (with `form_type` 3) a form that stops receiving. */
  inboundForm(body: InboundFormBody, options?: CallOptions): Reply<InboundFormRetval> {
    return this.#call('/purchases/purchase', body, options);
  }

  /** Sends a callback for an event that has not happened; each request sends another one. */
  testCallback(body: CallbackTestBody, options?: CallOptions): Reply<CallbackTestRetval> {
    return this.#call('/callbacks/test', body, options, false);
  }

  #call<Retval>(path: string, body: object, options?: CallOptions, repeatable = true): Reply<Retval> {
    const { apiKey, segment = 'logistics' } = this.#options;
    const headers = () => ({ authorization: apiKey });
    const call = { ...options, path: `/${segment}${path}`, body, headers, repeatable };
    return replyOf(send(this.#options, call), retvalOf<Retval>);
  }
}
