import { type HomeFlow, homeFlow } from '../../../contract/console/home-flow.ts';
import { type Flow, makeFlow } from '../../domain/operators/flow.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { keepAnswer } from '../../platform/kept-answer.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** However many pages are open, a node looks once. Pages are told of a change twice, more than this apart: so none stays with what is old. */
const keptMs = 1500;

export function homeFlowCall({ database, clock }: Pick<ConsoleParts, 'database' | 'clock'>): ConsoleEndpoint {
  const flowOf = makeFlow(database, { exceptContract: 'console' });
  async function look(): Promise<HomeFlow> {
    const now = clock.now();
    return wordFlow(await flowOf(now), now);
  }
  const kept = keepAnswer(look, { clock, keptMs });
  return consoleEndpoint(homeFlow, { role: 'read-only', audit: null, handle: kept });
}

function wordFlow({ day, hours, states, minutes, callbacksWaiting }: Flow, now: Date): HomeFlow {
  const { count, isMore, oldestAt } = callbacksWaiting;
  return {
    day,
    hours: hours.map(({ from, created, shipped, callbackMedianSeconds, callbackWorstSeconds }) => ({
      from,
      ...created,
      shipped,
      callback_median_s: callbackMedianSeconds,
      callback_worst_s: callbackWorstSeconds,
    })),
    states: states.map(({ isMore: is_more, ...state }) => ({ ...state, is_more })),
    minutes: minutes.map(({ from, calls, isEstimate }) => ({ from, calls, is_estimate: isEstimate })),
    callbacks_waiting: { count, is_more: isMore, oldest_at: oldestAt },
    at: taipeiInstant(now),
  };
}
