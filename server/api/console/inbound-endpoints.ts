import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { inboundCancelCall } from './inbound-cancel.ts';
import { inboundDetailCall } from './inbound-detail.ts';
import { inboundFindByScanCall } from './inbound-find-by-scan.ts';
import { inboundNoteAddCall } from './inbound-note-add.ts';
import { inboundReceiveCall } from './inbound-receive.ts';
import { inboundSearchCall } from './inbound-search.ts';
import { inboundStopCall } from './inbound-stop.ts';

/** Inbound documents and returns: list, detail, receiving. */
export function inboundEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    inboundSearchCall(parts),
    inboundDetailCall(parts),
    inboundReceiveCall(parts),
    inboundStopCall(parts),
    inboundCancelCall(parts),
    inboundNoteAddCall(parts),
    inboundFindByScanCall(parts),
  ];
}
