import type { Tx } from '../../platform/database.ts';
import { type CallbackTarget, type OwedCallback, owedCallback, type ToldItem, type WordCallback } from '../callbacks/callback.ts';
import { type ArrivedUnits, sumArrived } from './arrived-units.ts';
import type { InboundKind, InboundStatus } from './inbound-document.ts';
import { findFormItems, findToldForms, type ToldForm } from './inbound-form-queries.ts';
import type { InboundIds } from './inbound-queries.ts';

/** A form, as it is to be told that it has reached a state. */
export interface FormInState {
  accountId: number;
  inboundId: number;
  kind: InboundKind;
  partnerNumber: string;
  documentNo: string;
  status: InboundStatus;
  items: ToldItem[];
  arrived: ArrivedUnits[];
}

export function formCallback(
  { accountId, inboundId, kind, partnerNumber, documentNo, status, items, arrived }: FormInState,
  told: Omit<ToldForm, 'inboundId'>,
  { now, word }: { now: Date; word: WordCallback },
): OwedCallback {
  const { internalFormNo, keyName, url, callbackCount } = told;
  const document = {
    ...{ accountId, type: kind, documentId: inboundId, partnerNumber, internalNo: internalFormNo, name: null, ourNo: documentNo },
    ...{ status, shipmentNo: null, carrier: null, items, received: sumArrived(arrived), note: null },
  };
  return owedCallback(document, { keyName, url }, { sequence: callbackCount + 1, now, word });
}

/** What partners are to be told of their documents. */
export interface Told {
  /** None for a document whose partner does not want to be told. `target`: where this is to be told, if elsewhere than the rest. */
  callbackFor(document: Omit<FormInState, 'items'>, how: { now: Date; word: WordCallback }, target?: CallbackTarget): OwedCallback[];
}

/** Looks for what the partners of these documents would be told; null: none of them is a form, and only of forms somebody is told. */
export async function findTold(tx: Tx, formIds: InboundIds | null): Promise<Told> {
  if (formIds === null) return { callbackFor: () => [] };
  const [forms, items] = await Promise.all([findToldForms(tx, formIds), findFormItems(tx, formIds)]);
  const itemsOf = Map.groupBy(items, (item) => item.inboundId);
  const toldOf = new Map(forms.map((form) => [form.inboundId, form]));

  return {
    callbackFor(document, how, target) {
      const form = toldOf.get(document.inboundId);
      return form ? [formCallback({ ...document, items: itemsOf.get(document.inboundId) ?? [] }, { ...form, ...target }, how)] : [];
    },
  };
}
