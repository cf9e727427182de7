import type * as hey from './hey-api/index.ts';
import type { operations } from './openapi-typescript/types.ts';
import type * as orval from './orval/client.ts';

/** Compiled next to the generated clients: their types must reject a call that the service always rejects. */
type Operation = keyof operations & keyof typeof hey & keyof typeof orval;
type ByOpenapiTypescript<Name extends Operation> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
type ByHeyApi<Name extends Operation> = (typeof hey)[Name] extends (options: infer Options) => unknown
  ? Options extends { body: infer Body }
    ? Body
    : never
  : never;
type ByOrval<Name extends Operation> = (typeof orval)[Name] extends (body: infer Body, ...rest: never[]) => unknown
  ? Body
  : never;
type Verdict<Given, Body> = Given extends Body ? 'accepted' : 'rejected';
type Verdicts<Name extends Operation, Given> = [
  Verdict<Given, ByOpenapiTypescript<Name>>,
  Verdict<Given, ByHeyApi<Name>>,
  Verdict<Given, ByOrval<Name>>,
];
type AllReject = ['rejected', 'rejected', 'rejected'];
type AllAccept = ['accepted', 'accepted', 'accepted'];
const rejected: AllReject = ['rejected', 'rejected', 'rejected'];
const accepted: AllAccept = ['accepted', 'accepted', 'accepted'];

type Report<Names> = { orders: ({ status: 'packed' } & Names)[] };
export const noOrder: Verdicts<'fulfilmentAdvance', { orders: { status: 'packed' }[] }> = rejected;
export const twoOrders: Verdicts<
  'fulfilmentAdvance',
  Report<{ outbound_short_id: string; internal_name: string }>
> = rejected;
export const oneOrder: Verdicts<'fulfilmentAdvance', Report<{ outbound_short_id: string }>> = accepted;
export const otherOrder: Verdicts<
  'fulfilmentAdvance',
  Report<{ outbound_short_id: null; internal_name: string }>
> = accepted;

export const noOrders: Verdicts<'ordersCancel', { outbound_short_ids: null }> = rejected;
export const someOrders: Verdicts<'ordersCancel', { internal_names: string[] }> = accepted;
export const bothOrders: Verdicts<'ordersCancel', { outbound_short_ids: string[]; internal_names: string[] }> =
  accepted;

export const noDocuments: Verdicts<'inboundsCancel', { form_nos: null }> = rejected;
export const someDocuments: Verdicts<'inboundsCancel', { inbound_short_ids: string[] }> = accepted;

export const noDocument: Verdicts<'inboundsStop', { form_no: null }> = rejected;
export const twoDocuments: Verdicts<'inboundsStop', { form_no: string; inbound_short_id: string }> = rejected;
export const oneDocument: Verdicts<'inboundsStop', { form_no: string }> = accepted;

type Goods = { sku_id: string; qty: number; stock_type: 'good' };
export const unnamedReceipt: Verdicts<'inboundsReceive', { details: Goods[] }> = rejected;
export const receipt: Verdicts<'inboundsReceive', { form_no: string; details: Goods[] }> = accepted;

export const noCallbacks: Verdicts<'callbacksRedeliver', { dry_run: true }> = rejected;
export const callbacksTwice: Verdicts<'callbacksRedeliver', { event_ids: string[]; 'callbacks.status': 'failed' }> =
  rejected;
export const callbacksById: Verdicts<'callbacksRedeliver', { event_ids: string[]; dry_run: true }> = accepted;
export const callbacksByFilter: Verdicts<
  'callbacksRedeliver',
  { 'callbacks.status': 'failed'; 'callbacks.updated_at': { gte: string } }
> = accepted;

type Order<Method> = {
  outbound_short_id: string;
  warehouse_tpw_id: string;
  consignee_country: 'TW';
  details: { sku_id: string; qty: number }[];
} & Method;
export const wrongMethod: Verdicts<
  'outboundCreate',
  Order<{ logistics_type: 'home'; express_type: 'family' }>
> = rejected;
export const rightMethod: Verdicts<
  'outboundCreate',
  Order<{ logistics_type: 'csvs'; express_type: 'family' }>
> = accepted;
