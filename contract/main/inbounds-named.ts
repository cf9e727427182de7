import { type TObject, type TProperties, Type } from 'typebox';
import { Clearable, Identifier, isGiven, WithMeaning } from '../values.ts';
import { InboundCancelBody } from '../warehouse/inbound-cancel.ts';

export const FormNo = Identifier(255);
export const InboundShortId = InboundCancelBody.properties.inbound_short_ids.items;

/** How a document is named: by its number of the warehouse API, or by that of the logistics webhook. */
export const nameFields = {
  inbound_short_id: WithMeaning(Clearable(InboundShortId), 'Your own number of a document of the warehouse API. This or `form_no`.'),
  form_no: WithMeaning(Clearable(FormNo), 'Your own number of a form of the logistics webhook. This or `inbound_short_id`.'),
};

interface Named {
  inbound_short_id?: string | null;
  form_no?: string | null;
}

/** Exactly one of the two names. */
export const NamedDocument = <Fields extends TProperties>(schema: TObject<Fields & typeof nameFields>) =>
  Type.Refine(
    schema,
    (body) => isGiven((body as Named).inbound_short_id) !== isGiven((body as Named).form_no),
    (body) =>
      isGiven((body as Named).form_no)
        ? '.form_no must not stand beside inbound_short_id'
        : '.inbound_short_id is missing; or name the document by form_no',
  );
