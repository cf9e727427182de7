import { accountsOf } from '../../platform/postgres/per-account.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { findCallbackAddresses } from '../callbacks/account-callback-queries.ts';
import { currentTarget } from '../callbacks/account-callbacks.ts';
import {
  type CallbackTarget,
  type FormatCallback,
  type NotifiedItem,
  type OwedCallback,
  owedCallback,
} from '../callbacks/callback.ts';
import { type ArrivedUnits, sumArrived } from './arrived-units.ts';
import type { InboundKind, InboundStatus } from './inbound-document.ts';
import { findDirectInbounds, findFormItems, findNotifiedForms, type NotifiedForm } from './inbound-form-queries.ts';
import { type InboundsOfAccount, inboundsByAccount, type LockedInbound } from './inbound-queries.ts';

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

/**
 * Reads what the partners of these documents would be notified of. Only forms of the logistics webhook name an address;
 * `alsoOfAccounts` adds the others.
 */
export async function findFormNotifications(tx: Tx, documents: InboundsOfAccount[]): Promise<FormNotifications> {
  const [forms, items] = await Promise.all([findNotifiedForms(tx, documents), findFormItems(tx, documents)]);
  return notificationsOf(forms, items);
}

/**
 * Adds the documents of the other channels. Their addresses are those that account and tenants have now. They are read
 * only if the account has callbacks: other accounts have no statement more.
 */
export async function alsoOfAccounts(
  tx: Tx,
  ofLogistics: FormNotifications,
  documents: LockedInbound[],
): Promise<FormNotifications> {
  const direct = documents.filter((document) => document.usesCallbacks);
  if (direct.length === 0) return ofLogistics;
  const byAccount = inboundsByAccount(direct);
  const [inbounds, items, addressesOf] = await Promise.all([
    findDirectInbounds(tx, byAccount),
    findFormItems(tx, byAccount),
    findCallbackAddresses(tx, accountsOf(direct)),
  ]);
  const accountOf = new Map(direct.map(({ inboundId, accountId }) => [inboundId, accountId]));
  const notified = inbounds.flatMap(({ inboundId, partnerNumber, signer, callbackCount }) => {
    const target = currentTarget(signer, addressesOf(accountOf.get(inboundId)!));
    return target ? [{ ...target, inboundId, callbackCount, internalFormNo: partnerNumber }] : [];
  });
  const ofAccounts = notificationsOf(notified, items);
  return {
    callbackFor: (document, how, target) =>
      (accountOf.has(document.inboundId) ? ofAccounts : ofLogistics).callbackFor(document, how, target),
  };
}

function notificationsOf(forms: NotifiedForm[], items: (NotifiedItem & { inboundId: number })[]): FormNotifications {
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
