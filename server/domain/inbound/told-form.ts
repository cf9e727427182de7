import { type OwedCallback, owedCallback, type ToldItem, type WordCallback } from '../callbacks/callback.ts';
import { type ArrivedUnits, sumArrived } from './arrived-units.ts';
import type { InboundKind, InboundStatus } from './inbound-document.ts';
import type { ToldForm } from './inbound-form-queries.ts';

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
    ...{ accountId, type: kind, documentId: inboundId, partnerNumber, internalNo: internalFormNo, ourNo: documentNo },
    ...{ status, shipmentNo: null, carrier: null, items, received: sumArrived(arrived), note: null },
  };
  return owedCallback(document, { keyName, url }, { sequence: callbackCount + 1, now, word });
}
