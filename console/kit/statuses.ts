import type { CallbackStatus } from '../../contract/console/callbacks.ts';
import type { InboundChannel, InboundKind, InboundStatus } from '../../contract/console/inbound.ts';
import type { OrderChannel, OrderStatus } from '../../contract/console/orders.ts';
import type { StockType } from '../../contract/console/stock.ts';
import { callbackTone, inboundTone, orderTone } from './status-badge.tsx';

/** The options of filters, in lifecycle order. Only types of the contract are imported, to keep the bundle small. */
export const orderStatuses = Object.keys(orderTone) as OrderStatus[];
export const inboundStatuses = Object.keys(inboundTone) as InboundStatus[];
export const callbackStatuses = Object.keys(callbackTone) as CallbackStatus[];
export const orderChannels = ['warehouse', 'main', 'logistics'] as const satisfies readonly OrderChannel[];
export const inboundKinds = ['inbound', 'return'] as const satisfies readonly InboundKind[];
export const inboundChannels = ['warehouse', 'logistics'] as const satisfies readonly InboundChannel[];
export const stockTypes = ['good', 'bad'] as const satisfies readonly StockType[];

export const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'] as const;
export const deliveryMethods = ['home', 'csvs'] as const;
export const orderCarriers = ['tcat', 'hct', 'post', 'pcsc', 'family', 'hilife'] as const;
export const inboundSorts = ['created', 'updated', 'arrival'] as const;
export const callbackSorts = ['created', 'updated'] as const;
export const productSorts = ['sku', 'name', 'created', 'updated'] as const;
export const stockSorts = ['sku', 'expiry', 'on_hand'] as const;
