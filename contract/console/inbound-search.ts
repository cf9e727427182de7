import { Type } from 'typebox';
import { CalendarDate, Identifier, PlaceNumber } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';

export const inboundStatuses = ['expected', 'receiving', 'received', 'cancelled', 'stopped'] as const;
export type InboundStatus = (typeof inboundStatuses)[number];
export const inboundKinds = ['inbound', 'return'] as const;
export type InboundKind = (typeof inboundKinds)[number];
export const inboundChannels = ['warehouse', 'logistics'] as const;
export type InboundChannel = (typeof inboundChannels)[number];
export const inboundSorts = ['created', 'updated', 'arrival'] as const;

/** A row of the list of inbound documents and returns. */
export interface InboundListRow {
  inbound_id: number;
  account_no: string;
  document_no: string;
  partner_number: string;
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  warehouse_no: number;
  store_no: number;
  original_order_number: string | null;
  estimated_arrival_at: string | null;
  line_count: number;
  announced_units: number;
  /** Good and bad together. */
  arrived_units: number;
  arrived_bad_units: number;
  created_at: string;
  updated_at: string;
}

const Many = <Value extends string>(values: readonly Value[]) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { minItems: 1, maxItems: values.length }));
const warehousesMax = 50;

/** Days are those of Taipei, the last one included. */
export const inboundSearch = consoleCall<ListPage<InboundListRow>>()(
  '/inbound/search',
  record({
    ...listFields,
    status: Many(inboundStatuses),
    kind: Many(inboundKinds),
    channel: Many(inboundChannels),
    warehouse_no: Type.Optional(Type.Array(PlaceNumber, { minItems: 1, maxItems: warehousesMax })),
    /** The partner's number, or ours. */
    number: Type.Optional(Identifier(255)),
    arrival_from: Type.Optional(CalendarDate),
    arrival_to: Type.Optional(CalendarDate),
    created_from: Type.Optional(CalendarDate),
    created_to: Type.Optional(CalendarDate),
    updated_from: Type.Optional(CalendarDate),
    updated_to: Type.Optional(CalendarDate),
    /** Newest first, or what arrives next first. Left out: by what a range is asked of. */
    sort: Type.Optional(Type.Enum([...inboundSorts])),
  }),
);
