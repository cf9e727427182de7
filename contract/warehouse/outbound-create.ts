import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, FreeText, OrderNumber, Qty, WithDocumented, WithMeaning } from '../values.ts';

export const outboundDetailsMax = 500;
export const countries = ['TW'] as const;
export const logisticsTypes = ['home', 'csvs'] as const;
export const expressTypes = ['tcat', 'hct', 'post', 'pcsc', 'family', 'hilife'] as const;

/** F-5 `/outbound/create`. Warehouse and store follow from the account and `warehouse_tpw_id`. */
export const OutboundCreateBody = Type.Object({
  outbound_short_id: WithMeaning(CallerIdentifier, 'Your own number of the order, unique for ever; it is the idempotency key.'),
  warehouse_tpw_id: WithMeaning(CallerIdentifier, 'Tenant identifier from the operator; with the account it decides warehouse and store.'),
  consignee_country: WithMeaning(Type.Enum([...countries]), 'Country of the recipient: only `TW`.'),
  logistics_type: WithMeaning(
    WithDocumented(Type.String({ description: '`home` or `csvs`' }), { enum: logisticsTypes }),
    'Home delivery or convenience-store pickup.',
  ),
  express_type: WithMeaning(
    WithDocumented(Type.String({ description: 'with `home`: `tcat`, `hct`, `post`; with `csvs`: `pcsc`, `family`, `hilife`' }), {
      enum: expressTypes,
    }),
    'The carrier or the chain.',
  ),
  details: Type.Array(
    Type.Object({
      sku_id: WithMeaning(CallerIdentifier, 'A product that was synced before. The same one may stand in several details.'),
      qty: Qty,
    }),
    { minItems: 1, maxItems: outboundDetailsMax, description: 'what is to be shipped' },
  ),
  consignee_name: WithMeaning(Clearable(FreeText(255)), 'Name of the recipient.'),
  consignee_phone: WithMeaning(Clearable(FreeText(50)), 'Phone number of the recipient.'),
  consignee_address: WithMeaning(Clearable(FreeText(500)), 'Address of the recipient, or the pickup store.'),
  consignee_zip: WithMeaning(Clearable(FreeText(20)), 'Postal code of the recipient.'),
});
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
    success: WithMeaning(Type.Boolean(), 'As in the envelope.'),
    orders_id: WithMeaning(OrderNumber, 'Our number of the order: `ow_<outbound_short_id>_<suffix>`.'),
    idempotent: WithMeaning(Type.Boolean(), '`true` where the number was known: the original order is returned and nothing was rebuilt.'),
    payload_differs: WithMeaning(
      Type.Optional(Type.Literal(true)),
      'Only where a known number came with another body. The original stays as it was.',
    ),
  }),
  'The order that was created, now or before.',
);
export type OutboundCreateData = Static<typeof OutboundCreateData>;
