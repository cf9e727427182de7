import type { Tx } from '../../platform/postgres/sql.ts';
import {
  type CallbackTarget,
  type FormatCallback,
  type NotifiedItem,
  type OwedCallback,
  owedCallback,
} from '../callbacks/callback.ts';
import { type ArrivedUnits, sumArrived } from './arrived-units.ts';
import type { InboundKind, InboundStatus } from './inbound-document.ts';
import { findFormItems, findNotifiedForms, type NotifiedForm } from './inbound-form-queries.ts';
import type { InboundsOfAccount } from './inbound-queries.ts';

/** A form that has reached a state of which its partner is notified. */
export interface FormInState {
  accountId: number;
  inboundId: number;
  kind: InboundKind;
  partnerNumber: string;
  documentNo: string;
  status: InboundStatus;
  items: NotifiedItem[];
  arrived: ArrivedUnits[];
}

export function formCallback(
  { accountId, inboundId, kind, partnerNumber, documentNo, status, items, arrived }: FormInState,
  notified: Omit<NotifiedForm, 'inboundId'>,
  { now, format }: { now: Date; format: FormatCallback },
): OwedCallback {
  const { internalFormNo, keyName, url, callbackCount } = notified;
  const document = {
    ...{
      accountId,
      type: kind,
      documentId: inboundId,
      partnerNumber,
      internalNo: internalFormNo,
      name: null,
      ourNo: documentNo,
    },
    status,
    shipmentNo: null,
    carrier: null,
    items,
    received: sumArrived(arrived),
    note: null,
  };
  return owedCallback(document, { keyName, url }, { sequence: callbackCount + 1, now, format });
}

/** The notifications for the partners of these documents. */
export interface FormNotifications {
  /**
   * Empty if the partner does not want notifications. `target` replaces the document's own target for this callback.
   */
  callbackFor(
    document: Omit<FormInState, 'items'>,
    how: { now: Date; format: FormatCallback },
    target?: CallbackTarget,
  ): OwedCallback[];
}

/** Reads what the partners of these documents would be notified of. Only forms have notifications. */
export async function findFormNotifications(tx: Tx, documents: InboundsOfAccount[]): Promise<FormNotifications> {
  const [forms, items] = await Promise.all([findNotifiedForms(tx, documents), findFormItems(tx, documents)]);
  const itemsOf = Map.groupBy(items, (item) => item.inboundId);
  const notifiedOf = new Map(forms.map((form) => [form.inboundId, form]));

  return {
    callbackFor(document, how, target) {
      const form = notifiedOf.get(document.inboundId);
      return form
        ? [formCallback({ ...document, items: itemsOf.get(document.inboundId) ?? [] }, { ...form, ...target }, how)]
        : [];
    },
  };
}
