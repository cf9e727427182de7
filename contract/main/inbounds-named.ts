import { type TObject, type TProperties, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { exactlyOneOf } from '../alternatives.ts';
import { Clearable, Identifier, isGiven, WithMeaning } from '../values.ts';
import { InboundCancelBody } from '../warehouse/inbound-cancel.ts';

export const FormNo = Identifier(255);
export const InboundShortId = InboundCancelBody.properties.inbound_short_ids.items;

/** A document is named by its number in the warehouse API or by its number in the logistics webhook. */
export const nameFields = {
  inbound_short_id: WithMeaning(
    Clearable(InboundShortId),
    'Your number for a document of the warehouse API. Send either this or `form_no`.',
  ),
  form_no: WithMeaning(
    Clearable(FormNo),
    'Your number for a form of the logistics webhook. Send either this or `inbound_short_id`.',
  ),
};

export const oneName = exactlyOneOf('inbound_short_id', 'form_no');

interface Named {
  inbound_short_id?: string | null;
  form_no?: string | null;
}

/** Requires exactly one of the two numbers. */
export const NamedDocument = <Fields extends TProperties>(schema: TObject<Fields & typeof nameFields>) =>
  Type.Refine(
    schema,
    (body) => isGiven((body as Named).inbound_short_id) !== isGiven((body as Named).form_no),
    (body): BrokenRule =>
      isGiven((body as Named).form_no) ? '.form_no two_documents_named' : '.inbound_short_id no_document_named',
  );
