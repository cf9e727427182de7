import type { Socket } from 'node:net';
import { errorMessage } from '../../messages/errors.ts';
import { formatMessage } from '../../messages/format-message.ts';
import type { Message } from '../../messages/message.ts';
import { newTraceId } from '../platform/ids.ts';
import { formatErrors, mistakesIn } from './error-list.ts';
import type { Incoming } from './incoming.ts';
import { newRequestRecord, unknownEndpoint } from './request-record.ts';
import type { ServerContext } from './server-context.ts';

interface Rejection {
  status: number;
  phrase: string;
  message: Message;
}

const rejections: Record<string, Rejection> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, phrase: 'Request Timeout', message: errorMessage('request_timed_out') },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    message: errorMessage('headers_too_large'),
  },
  PIPELINED_EXPECT: {
    status: 400,
    phrase: 'Bad Request',
    message: errorMessage('expect_pipelined'),
  },
};
/** The client reset the connection, or closed it in the middle of a request. */
const disconnectCodes = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);
const malformed = { status: 400, phrase: 'Bad Request', message: errorMessage('not_http') };

export const requestTimedOut = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };
export const pipelinedExpect = { code: 'PIPELINED_EXPECT' };

/**
 * Rejects, on the bare socket and in the envelope of the main API, bytes that are not HTTP or did not arrive in time.
 * `broken` is the request that did not arrive completely; null if not even its head arrived.
 */
export async function rejectBrokenRequest(
  error: { code?: string },
  socket: Socket,
  broken: Pick<Incoming, 'id' | 'record'> | null,
  context: ServerContext,
): Promise<void> {
  if (disconnectCodes.has(error.code ?? '') || !socket.writable) {
    socket.destroy();
    return;
  }
  const rejection = rejections[error.code ?? ''] ?? malformed;
  const traceId = recordRejection(rejection, broken, context);
  // Bytes that arrive while the rejection is delayed get no response.
  socket.pause();
  await context.rejectionThrottle();
  socket.end(formatRejection(rejection, traceId, context), () => socket.destroy());
}

/** Returns the trace id. */
function recordRejection(
  { status, message }: Rejection,
  broken: Pick<Incoming, 'id' | 'record'> | null,
  { clock, metrics, recorder }: ServerContext,
): string {
  const now = clock.now();
  const traceId = broken?.id ?? newTraceId(now.getTime());
  metrics.requestsRefused.inc({ cause: String(status) });
  if (broken) {
    broken.record.brokenStatus = status;
    broken.record.reason = message;
  } else {
    const record = { ...newRequestRecord(now, 'main'), reason: message };
    recorder.finish(record, { traceId, method: '(unknown)', endpoint: unknownEndpoint, status });
  }
  return traceId;
}

function formatRejection(
  { status, phrase, message }: Rejection,
  traceId: string,
  { commonHeaders, docsUrl }: ServerContext,
): string {
  const errors = formatErrors(mistakesIn(message), docsUrl);
  const body = JSON.stringify({ done: false, msg: formatMessage(message), retval: null, errors });
  return (
    `HTTP/1.1 ${status} ${phrase}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ntrace-id: ${traceId}\r\n` +
    `${commonHeaders.text}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
