import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database.ts';
import type { CallbackTarget, WordCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { Cause } from '../stock/movement.ts';
import { type InboundStatus, inboundAfter } from './inbound-document.ts';
import { type InboundName, lockInboundsByName, moveInbounds, unitsBroughtBy } from './inbound-queries.ts';
import { findTold } from './told-form.ts';

export interface StopReceivingRequest {
  name: InboundName;
  /** Where the stop is to be told, if elsewhere than the document's other callbacks. */
  target?: CallbackTarget;
  cause: Cause;
}

export type StopReceivingOutcome =
  | { kind: 'stopped' }
  /** It was stopped before: nothing is done again. */
  | { kind: 'repeated' }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: InboundStatus };

export type StopReceiving = (request: StopReceivingRequest) => Promise<StopReceivingOutcome>;

/** Closes what has not arrived of a document; what has arrived stays. */
export function makeStopReceiving(parts: { database: Database; clock: Clock; wordCallback: WordCallback }): StopReceiving {
  const { database, clock, wordCallback } = parts;

  async function stop(tx: Tx, { name, target, cause }: StopReceivingRequest): Promise<StopReceivingOutcome> {
    const [document] = await lockInboundsByName(tx, [name]);
    if (!document) return { kind: 'not_found' };
    const inboundIds = [document.inboundId];
    const [told, arrived] = await Promise.all([findTold(tx, inboundIds), unitsBroughtBy(tx, inboundIds)]);

    if (document.status === 'stopped') return { kind: 'repeated' };
    const status = inboundAfter(document.status, 'stop');
    if (status === null) return { kind: 'too_late', status: document.status };
    const owed = told.callbackFor({ ...document, status, arrived }, { now: clock.now(), word: wordCallback }, target);

    await moveInbounds(tx, [{ ...document, event: 'stop', cause }]);
    if (owed.length > 0) await Promise.all(oweCallbacks(tx, owed));
    return { kind: 'stopped' };
  }

  return (request) => database.transaction((tx) => stop(tx, request));
}
