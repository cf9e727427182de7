import { type Static, Type } from 'typebox';
import { WithAlternatives } from '../alternatives.ts';
import { warnings } from '../errors/lists.ts';
import { CallerIdentifier, Clearable, FreeText, OrderNumber, Qty, WithDocumented, WithMeaning } from '../values.ts';

export const outboundDetailsMax = 500;
export const countries = ['TW'] as const;
export const shipMethods = { home: ['tcat', 'hct', 'post'], csvs: ['pcsc', 'family', 'hilife'] } as const;
export type ShipMethods = typeof shipMethods;
export const logisticsTypes = Object.keys(shipMethods) as (keyof ShipMethods)[];
export const expressTypes = Object.values(shipMethods).flat();
export const LogisticsType = WithDocumented(
  Type.String({ description: logisticsTypes.map((type) => `\`${type}\``).join(' or ') }),
  { enum: logisticsTypes },
);
export const ExpressType = WithDocumented(
  Type.String({
    description: logisticsTypes
      .map((type) => `with \`${type}\`: ${shipMethods[type].map((one) => `\`${one}\``).join(', ')}`)
      .join('; '),
  }),
  { enum: expressTypes },
);

const narrowedTo = (values: readonly string[]) => ({ enum: values, examples: values.slice(0, 1) });

/** F-5 `/outbound/create`. The account and `warehouse_tpw_id` determine the warehouse and the store. */
export const OutboundCreateBody = WithAlternatives(
  Type.Object({
    outbound_short_id: WithMeaning(
      CallerIdentifier,
      'Your number for the order. It must be unique forever and is the idempotency key.',
    ),
    warehouse_tpw_id: WithMeaning(
      CallerIdentifier,
      'Tenant identifier from the operator. Together with the account, it determines the warehouse and the store.',
    ),
    consignee_country: WithMeaning(Type.Enum([...countries]), 'Country of the recipient; only `TW` is supported.'),
    logistics_type: WithMeaning(LogisticsType, 'Home delivery or convenience-store pickup.'),
    express_type: WithMeaning(ExpressType, 'The carrier or the convenience-store chain.'),
    details: Type.Array(
      Type.Object({
        sku_id: WithMeaning(
          CallerIdentifier,
          'A product that has been synced. The same product may appear in several details.',
        ),
        qty: Qty,
      }),
      { minItems: 1, maxItems: outboundDetailsMax, description: 'the units to be shipped' },
    ),
    consignee_name: WithMeaning(Clearable(FreeText(255)), 'Name of the recipient.'),
    consignee_phone: WithMeaning(Clearable(FreeText(50)), 'Phone number of the recipient.'),
    consignee_address: WithMeaning(Clearable(FreeText(500)), 'Address of the recipient, or the pickup store.'),
    consignee_zip: WithMeaning(Clearable(FreeText(20)), 'Postal code of the recipient.'),
  }),
  Object.entries(shipMethods).map(([logisticsType, itsExpressTypes]) => ({
    narrowed: { logistics_type: narrowedTo([logisticsType]), express_type: narrowedTo(itsExpressTypes) },
  })),
);
export type OutboundCreateBody = Static<typeof OutboundCreateBody>;

export const exampleOrder: OutboundCreateBody = {
  outbound_short_id: 'OUT-1001',
  warehouse_tpw_id: 'TPW-DEMO',
  consignee_country: 'TW',
  logistics_type: 'home',
  express_type: 'tcat',
  details: [{ sku_id: 'TEA-1', qty: 2 }],
  consignee_name: 'Lin Mei-hua',
  consignee_phone: '0900000000',
  consignee_address: 'No. 1, Example Road, Zhongzheng District, Taipei City',
  consignee_zip: '100',
};

export const OutboundCreateData = WithMeaning(
  Type.Object({
    success: WithMeaning(Type.Boolean(), 'The same as in the envelope.'),
    orders_id: WithMeaning(OrderNumber, 'Our number for the order: `ow_<outbound_short_id>_<suffix>`.'),
    idempotent: WithMeaning(
      Type.Boolean(),
      '`true` if the number was already used: the original order is returned unchanged.',
    ),
    payload_differs: WithMeaning(
      Type.Optional(Type.Literal(true)),
      'Only present if a number was reused with a different body. The original remains unchanged.',
    ),
    ...warnings,
  }),
  'The order, created now or by an earlier request.',
);
export type OutboundCreateData = Static<typeof OutboundCreateData>;
