import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { CallbackTarget, FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import type { Cause } from '../stock/movement.ts';
import { alsoOfAccounts, findFormNotifications } from './form-notifications.ts';
import { type InboundStatus, inboundAfter } from './inbound-document.ts';
import {
  type InboundName,
  inboundsByAccount,
  lockInboundsByName,
  moveInbounds,
  unitsBroughtBy,
} from './inbound-queries.ts';

export interface StopReceivingRequest {
  name: InboundName;
  /** Where to send the notification of the stop, if not to the target of the document's other callbacks. */
  target?: CallbackTarget;
  cause: Cause;
}

export type StopReceivingOutcome =
  | { kind: 'stopped' }
  /** Receiving was stopped before: nothing changes. */
  | { kind: 'repeated' }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: InboundStatus };

export type StopReceiving = (request: StopReceivingRequest) => Promise<StopReceivingOutcome>;

/** Stops waiting for the units of a document that have not arrived; received units stay. */
export function makeStopReceiving(parts: {
  database: Database;
  clock: Clock;
  formatCallback: FormatCallback;
}): StopReceiving {
  const { database, clock, formatCallback } = parts;

  async function stop(tx: Tx, { name, target, cause }: StopReceivingRequest): Promise<StopReceivingOutcome> {
    const [document] = await lockInboundsByName(tx, [name]);
    if (!document) return { kind: 'not_found' };
    const itself = inboundsByAccount([document]);
    const forms = document.isLogistics ? itself : [];
    const [ofLogistics, arrived] = await Promise.all([findFormNotifications(tx, forms), unitsBroughtBy(tx, itself)]);

    if (document.status === 'stopped') return { kind: 'repeated' };
    const status = inboundAfter(document.status, 'stop');
    if (status === null) return { kind: 'too_late', status: document.status };
    const notifications = await alsoOfAccounts(tx, ofLogistics, [document]);
    const owed = notifications.callbackFor(
      { ...document, status, arrived },
      { now: clock.now(), format: formatCallback },
      target,
    );

    await moveInbounds(tx, [{ ...document, event: 'stop', cause }]);
    if (owed.length > 0) await Promise.all(oweCallbacks(tx, owed));
    return { kind: 'stopped' };
  }

  return (request) => database.transaction([request.name.accountId], (tx) => stop(tx, request));
}
