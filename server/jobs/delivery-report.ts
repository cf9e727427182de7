import type { Attempted, CallbackInHand, TurnOutcome } from '../domain/callbacks/record-and-claim.ts';
import { isSuccess } from '../domain/callbacks/retry-schedule.ts';
import type { Log } from '../platform/log.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

interface ReportTo {
  log: Log;
  metrics: DeliveryMetrics;
}

/** Logs and counts what one turn has changed. */
export function reportTurn(outcome: TurnOutcome, to: ReportTo): void {
  reportRecorded(outcome.recorded, to);
  for (const { callback } of outcome.lost) reportLost(callback, to);
  reportGivenUp(outcome.givenUp, to);
  reportCircuits(outcome, to);
}

function reportRecorded(recorded: TurnOutcome['recorded'], { log, metrics }: ReportTo): void {
  for (const { finished, verdict } of recorded) {
    const { eventId, receiverId } = finished.callback;
    const fields = { event_id: eventId, receiver_id: receiverId, outcome: outcomeOf(finished.attempted) };
    if (verdict?.kind === 'failed') log.warn(fields, 'callback failed for good');
    else log.debug(fields, verdict?.kind === 'delivered' ? 'callback delivered' : 'callback will be retried');
    if (verdict && verdict.kind !== 'again') metrics.ended.inc({ status: verdict.kind });
  }
}

/** The lease ended before the attempt could be recorded, so another worker sends the callback again. */
export function reportLost({ eventId, receiverId }: CallbackInHand, { log, metrics }: ReportTo): void {
  log.warn({ event_id: eventId, receiver_id: receiverId, outcome: 'lost' }, 'an attempt ended too late to be recorded');
  metrics.lost.inc();
}

function reportGivenUp(givenUp: TurnOutcome['givenUp'], { log, metrics }: ReportTo): void {
  for (const [receiverId, { length: count }] of Map.groupBy(givenUp, (one) => one.receiverId))
    log.warn({ receiver_id: receiverId, outcome: 'given_up', count }, 'callbacks failed for good');
  metrics.attempts.inc({ outcome: 'given_up' }, givenUp.length);
  metrics.ended.inc({ status: 'failed' }, givenUp.length);
}

function reportCircuits({ opened, closed }: TurnOutcome, { log, metrics }: ReportTo): void {
  for (const { receiverId } of opened)
    log.warn({ receiver_id: receiverId }, 'a receiver fails repeatedly; it is on hold for a while');
  for (const { receiverId } of closed) log.info({ receiver_id: receiverId }, 'a receiver responds again');
  metrics.circuits.inc({ change: 'opened' }, opened.length);
  metrics.circuits.inc({ change: 'closed' }, closed.length);
}

export function outcomeOf(attempted: Attempted): string {
  if (attempted.kind !== 'answered') return attempted.kind;
  if (isSuccess(attempted)) return 'delivered';
  return attempted.status >= 500 ? 'failed' : 'refused';
}
