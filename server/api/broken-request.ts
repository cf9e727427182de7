import type { Socket } from 'node:net';
import type { Clock } from '../platform/clock.ts';
import { newTraceId } from '../platform/ids.ts';
import type { Pace } from '../platform/pace.ts';
import { type CallBooks, finishCall, newCall, unknownEndpoint } from './call.ts';
import type { Incoming } from './incoming.ts';

const brokenRequests: Record<string, { status: number; phrase: string; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, phrase: 'Request Timeout', message: 'the request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { status: 431, phrase: 'Request Header Fields Too Large', message: 'the headers are too large' },
  PIPELINED_EXPECT: {
    status: 400,
    phrase: 'Bad Request',
    message: 'Expect: 100-continue was sent before the previous response was complete',
  },
};
/** Reset, or closed in the middle of a request. */
const hangUpCodes = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);
const malformed = { status: 400, phrase: 'Bad Request', message: 'this is not a valid HTTP request' };

export const requestTimedOut = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };
export const pipelinedExpect = { code: 'PIPELINED_EXPECT' };

/**
 * What is not HTTP, or did not arrive in time, is answered on the bare socket, in the words of the main API. `broken` is the request that did not
 * arrive completely; null if not even its head did.
 */
export async function answerBrokenRequest(
  error: { code?: string },
  socket: Socket,
  broken: Pick<Incoming, 'id' | 'call'> | null,
  parts: CallBooks & { clock: Clock; refusalPace: Pace },
): Promise<void> {
  if (hangUpCodes.has(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, phrase, message } = brokenRequests[error.code ?? ''] ?? malformed;
  const now = parts.clock.now();
  const traceId = broken?.id ?? newTraceId(now.getTime());
  parts.metrics.requestsRefused.inc({ cause: String(status) });
  if (broken) {
    broken.call.brokenStatus = status;
    broken.call.reason = message;
  } else {
    finishCall({ ...newCall(now, 'main'), reason: message }, { traceId, method: '(unknown)', endpoint: unknownEndpoint, status }, parts);
  }

  // Whatever arrives while the rejection waits its turn is not answered any more.
  socket.pause();
  await parts.refusalPace();
  const body = JSON.stringify({ done: false, msg: message, retval: null });
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ntrace-id: ${traceId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
