import { type Static, Type } from 'typebox';
import { inboundStatuses } from '../main/inbounds-search.ts';
import { Clearable, ExpiryDate, FreeText, Identifier, IdentifierOrEmpty, WebAddress, WithExample, WithMeaning } from '../values.ts';
import { AcceptedRetval } from './accepted.ts';
import { itemFields, StorageCategory } from './item.ts';

export const formProductsMax = 500;
export const formTypes = { inbound: 1, return: 2, stopReceiving: 3 } as const;

const FormItem = Type.Object({
  ...itemFields,
  storage_type: Clearable(StorageCategory),
  batch: WithMeaning(Clearable(IdentifierOrEmpty(125)), 'Batch of these units.'),
  expire_date: WithMeaning(ExpiryDate, 'Last day on which these units are good. Left out, `null` or `""`: they do not expire.'),
});

/** Strict readers of the document would otherwise refuse, in this condition, every field that it does not name. */
const unknownIgnored = { unevaluatedProperties: true };

/** `purchases/purchase`: an inbound form, a return form, or the word that receiving stops. */
export const makeInboundFormBody = (CallbackUrl: typeof WebAddress) =>
  Type.Object(
    {
      form_no: WithMeaning(Identifier(255), 'Your own number of the form, unique for ever in your account; it is the idempotency key.'),
      internal_form_no: WithMeaning(Identifier(255), 'Your internal number; handed back with the callback.'),
      form_type: WithMeaning(
        Type.Enum([1, 2, 3], { description: '1 = inbound, 2 = return, 3 = stop receiving' }),
        'What the form is. With 3, `form_no` names the inbound or return whose receiving stops.',
      ),
      shipping_type: WithMeaning(
        Type.Enum([1, 2, 3], { description: '1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery' }),
        'How the goods come.',
      ),
      callback_url: WithMeaning(CallbackUrl, 'Where you are told that the form was received, stopped or cancelled.'),
      products: Type.Array(FormItem, {
        maxItems: formProductsMax,
        description: `1-${formProductsMax} items; may be empty where receiving stops`,
      }),
      sender_name: WithMeaning(Clearable(FreeText(255)), 'Who sends the goods.'),
      sender_address: WithExample(WithMeaning(Clearable(FreeText(500)), 'From where.'), 'No. 2, Example Road, Chiayi County'),
    },
    // Only where receiving stops, nothing need be announced.
    {
      if: { properties: { form_type: { const: formTypes.stopReceiving } }, ...unknownIgnored },
      else: { properties: { products: { minItems: 1 } }, ...unknownIgnored },
    },
  );
export const InboundFormBody = makeInboundFormBody(WebAddress);
export type InboundFormBody = Static<typeof InboundFormBody>;

export const exampleInboundForm: InboundFormBody = {
  form_no: 'PO-2026-0001',
  internal_form_no: 'A-77',
  form_type: 1,
  shipping_type: 3,
  callback_url: 'https://partner.example/callbacks',
  products: [
    { sku: 'TEA-1', quantity: 100, name: 'Oolong tea', storage_type: 'ambient', price: 80, batch: 'L-2026-03', expire_date: '2027-12-31' },
  ],
  sender_name: 'Alishan Tea Estate',
};

export const InboundFormRetval = AcceptedRetval(inboundStatuses, 'How far the document has come.');
export type InboundFormRetval = Static<typeof InboundFormRetval>;
