import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database.ts';
import { owedCallback, type WordCallback } from '../callbacks/callback.ts';
import { findCallbackTargets, oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { KnownKey } from '../partners/logistics-key-directory.ts';
import type { Cause } from '../stock/movement.ts';
import { type InboundStatus, inboundAfter } from './inbound-document.ts';
import { findFormItems, type LockedForm, lockForm } from './inbound-form-queries.ts';
import { moveInbounds } from './inbound-queries.ts';

export interface StopReceivingRequest {
  key: Pick<KnownKey, 'accountId' | 'name'>;
  partnerNumber: string;
  /** Who asks for the stop is told of it there. */
  callbackUrl: string;
  cause: Cause;
}

export type StopReceivingOutcome =
  | { kind: 'stopped' }
  /** It was stopped before: nothing is done again. */
  | { kind: 'repeated' }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: InboundStatus };

export type StopReceiving = (request: StopReceivingRequest) => Promise<StopReceivingOutcome>;

/** Closes what has not arrived of a form; what has arrived stays. */
export function makeStopReceiving(parts: { database: Database; clock: Clock; wordCallback: WordCallback }): StopReceiving {
  const { database, clock, wordCallback } = parts;

  async function stop(tx: Tx, { key, partnerNumber, callbackUrl, cause }: StopReceivingRequest): Promise<StopReceivingOutcome> {
    const { accountId } = key;
    const form = await lockForm(tx, accountId, partnerNumber);
    if (!form) return { kind: 'not_found' };
    const [targets, items] = await Promise.all([findCallbackTargets(tx, [form.kind], [form.inboundId]), findFormItems(tx, form.inboundId)]);

    if (form.status === 'stopped') return { kind: 'repeated' };
    if (inboundAfter(form.status, 'stop') === null) return { kind: 'too_late', status: form.status };
    const document = { ...toldOf(form), accountId, partnerNumber, items };
    const target = { keyName: key.name, url: callbackUrl };
    const sequence = (targets[0]?.callbackCount ?? 0) + 1;
    const owed = owedCallback(document, target, { sequence, now: clock.now(), word: wordCallback });

    await moveInbounds(tx, 'stop', [{ ...form, cause }]);
    await Promise.all(oweCallbacks(tx, [owed]));
    return { kind: 'stopped' };
  }

  return (request) => database.transaction((tx) => stop(tx, request));
}

function toldOf({ inboundId, kind, documentNo, internalFormNo }: LockedForm) {
  const numbers = { documentId: inboundId, ourNo: documentNo, internalNo: internalFormNo };
  return { ...numbers, type: kind, status: 'stopped', shipmentNo: null, carrier: null, note: null };
}
