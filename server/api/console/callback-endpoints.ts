import { callbacksDetailCall } from './callbacks-detail.ts';
import { callbacksRedeliverCall, callbacksRedeliverCountCall, callbacksRedeliverFilteredCall } from './callbacks-redeliver.ts';
import { callbacksSearchCall } from './callbacks-search.ts';
import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { receiversListCall } from './receivers-list.ts';
import { receiversPauseCall, receiversResumeCall } from './receivers-pause.ts';

/** Callbacks and their receivers. */
export function callbackEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    callbacksSearchCall(parts),
    callbacksDetailCall(parts),
    callbacksRedeliverCall(parts),
    callbacksRedeliverCountCall(parts),
    callbacksRedeliverFilteredCall(parts),
    receiversListCall(parts),
    receiversPauseCall(parts),
    receiversResumeCall(parts),
  ];
}
