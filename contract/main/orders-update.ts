import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { LabelData } from '../logistics/shipping-order.ts';
import { Clearable, FreeText, isGiven, Note, Title, WithExample, WithMeaning } from '../values.ts';
import { countries, ExpressType, LogisticsType } from '../warehouse/outbound-create.ts';
import { ChangeResult, ChangeRetval, changeBatchMax, NamedOrder, orderNameFields } from './named-order.ts';
import { exampleLabelData } from './orders-search.ts';

const ofBoth = 'Orders of every channel.';
const ofDirect = 'Only orders of the warehouse API and the main API.';
const ofLogistics = 'Only orders of the logistics webhook.';

/** A field that is absent, `null` or empty stays as it is. */
export const changeFields = {
  consignee_country: WithMeaning(
    WithExample(Clearable(Type.Enum([...countries])), 'TW'),
    `Country of the recipient; only \`TW\` is supported. ${ofDirect}`,
  ),
  consignee_name: WithMeaning(
    WithExample(Clearable(Title(255)), 'Lin Mei-hua'),
    `Name of the recipient (\`delivery_name\` in the logistics webhook). ${ofBoth}`,
  ),
  consignee_phone: WithMeaning(
    WithExample(Clearable(Title(50)), '0900000000'),
    `Phone number of the recipient (\`phone\` in the logistics webhook). ${ofBoth}`,
  ),
  consignee_address: WithMeaning(
    Clearable(FreeText(500)),
    `Address of the recipient, or the pickup store (\`address\` in the logistics webhook). ${ofBoth}`,
  ),
  consignee_city: WithMeaning(
    WithExample(Clearable(FreeText(100)), 'Taipei City'),
    `City of the recipient (\`city\` in the logistics webhook). ${ofLogistics}`,
  ),
  consignee_zip: WithMeaning(WithExample(Clearable(FreeText(20)), '100'), `Postal code of the recipient. ${ofDirect}`),
  logistics_type: WithMeaning(
    Clearable(LogisticsType),
    `Home delivery or convenience-store pickup. Must fit \`express_type\`, which stays as it is unless you send it too. ${ofDirect}`,
  ),
  express_type: WithMeaning(
    Clearable(ExpressType),
    `The carrier or the convenience-store chain. Must fit \`logistics_type\`. ${ofDirect}`,
  ),
  note: WithMeaning(
    WithExample(Clearable(Note(2000)), 'Please ring twice.'),
    `A note for the warehouse; also part of the callback. ${ofLogistics}`,
  ),
  store_pickup_label_data: WithMeaning(
    WithExample(Clearable(LabelData), exampleLabelData),
    `Data for the label of a convenience-store pickup; replaces the previous data as a whole. ${ofLogistics}`,
  ),
};

const UpdatedOrder = Type.Refine(
  NamedOrder(Type.Object({ ...orderNameFields, ...changeFields }), Object.keys(changeFields)),
  (entry) => Object.keys(changeFields).some((field) => isGiven((entry as Record<string, unknown>)[field])),
  (): BrokenRule => '.consignee_name no_change_given',
);

export const OrdersUpdateBody = Type.Object({
  orders: WithMeaning(
    Type.Array(UpdatedOrder, { minItems: 1, maxItems: changeBatchMax }),
    `1-${changeBatchMax} orders with the fields to change.`,
  ),
});
export type OrdersUpdateBody = Static<typeof OrdersUpdateBody>;

export const OrdersUpdateResult = ChangeResult('updated', 'the order has the new values.');
export type OrdersUpdateResult = Static<typeof OrdersUpdateResult>;
export const OrdersUpdateRetval = ChangeRetval(OrdersUpdateResult);
