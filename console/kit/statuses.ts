import type { CallbackStatus } from '../../contract/console/callback-search.ts';
import type { InboundStatus } from '../../contract/console/inbound-search.ts';
import type { OrderChannel, OrderStatus } from '../../contract/console/order-search.ts';
import { callbackTone, inboundTone, orderTone } from './status-badge.tsx';

/** For filters, in the order in which they happen; the contract is only imported for its types. */
export const orderStatuses = Object.keys(orderTone) as OrderStatus[];
export const inboundStatuses = Object.keys(inboundTone) as InboundStatus[];
export const callbackStatuses = Object.keys(callbackTone) as CallbackStatus[];
export const orderChannels = ['warehouse', 'main', 'logistics'] as const satisfies readonly OrderChannel[];
