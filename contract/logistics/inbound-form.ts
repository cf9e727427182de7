import { type Static, Type } from 'typebox';
import { inboundStatuses } from '../main/inbounds-search.ts';
import {
  Clearable,
  ExpiryDate,
  FreeText,
  Identifier,
  IdentifierOrEmpty,
  WebAddress,
  WithExample,
  WithMeaning,
} from '../values.ts';
import { AcceptedRetval } from './accepted.ts';
import { itemFields, StorageCategory } from './item.ts';

export const formProductsMax = 500;
export const formTypes = { inbound: 1, return: 2, stopReceiving: 3 } as const;

const FormItem = Type.Object({
  ...itemFields,
  storage_type: Clearable(StorageCategory),
  batch: WithMeaning(Clearable(IdentifierOrEmpty(125)), 'Batch of these units.'),
  expire_date: WithMeaning(ExpiryDate, 'Expiry date of these units. Omitted, `null` or `""`: they do not expire.'),
});

/** Strict validators would otherwise reject every field that this condition does not name. */
const unknownIgnored = { unevaluatedProperties: true };

/** `purchases/purchase`: an inbound form, a return form, or a form that stops receiving. */
export const makeInboundFormBody = (CallbackUrl: typeof WebAddress) =>
  Type.Object(
    {
      form_no: WithMeaning(
        Identifier(255),
        'Your number for the form. It must be unique in your account forever and is the idempotency key.',
      ),
      internal_form_no: WithMeaning(Identifier(255), 'Your internal number; returned in the callback.'),
      form_type: WithMeaning(
        Type.Enum([1, 2, 3], { description: '1 = inbound, 2 = return, 3 = stop receiving' }),
        'The kind of form. With 3, `form_no` names the inbound or return form for which receiving stops.',
      ),
      shipping_type: WithMeaning(
        Type.Enum([1, 2, 3], { description: '1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery' }),
        'How the goods are delivered.',
      ),
      callback_url: WithMeaning(CallbackUrl, 'The URL that we notify when the form is received, stopped or cancelled.'),
      products: Type.Array(FormItem, {
        maxItems: formProductsMax,
        description: `1-${formProductsMax} items; may be empty if \`form_type\` is 3`,
      }),
      sender_name: WithMeaning(Clearable(FreeText(255)), 'Name of the sender.'),
      sender_address: WithExample(
        WithMeaning(Clearable(FreeText(500)), 'Address of the sender.'),
        'No. 2, Example Road, Chiayi County',
      ),
    },
    // Only a form that stops receiving may announce nothing.
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
    {
      sku: 'TEA-1',
      quantity: 100,
      name: 'Oolong tea',
      storage_type: 'ambient',
      price: 80,
      batch: 'L-2026-03',
      expire_date: '2027-12-31',
    },
  ],
  sender_name: 'Alishan Tea Estate',
};

export const InboundFormRetval = AcceptedRetval(inboundStatuses, 'Status of the document.');
export type InboundFormRetval = Static<typeof InboundFormRetval>;
