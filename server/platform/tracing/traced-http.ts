import type { OutgoingHttp, PostRequest } from '../outgoing/http-client.ts';
import { traceparentOf } from './span.ts';
import type { Tracer } from './tracer.ts';

/**
 * Gives each request its own trace, and tells the receiver its name. A callback may be sent hours after its cause, so it
 * is linked to its cause instead of being a part of it.
 */
export function tracedHttp(http: OutgoingHttp, tracer: Tracer): OutgoingHttp {
  return {
    async post(request) {
      const span = tracer.startWork(`POST ${request.purpose}`, 'client', request.causedBy ?? null);
      const headers = { ...request.headers, traceparent: traceparentOf(span) };
      const outcome = await http.post({ ...request, headers });
      const failed =
        outcome.kind === 'failed' ? outcome.error.code : outcome.status >= 400 ? String(outcome.status) : undefined;
      span.end({
        attributes: {
          'http.request.method': 'POST',
          ...hostOf(request),
          ...('status' in outcome ? { 'http.response.status_code': outcome.status } : {}),
        },
        error: failed,
      });
      return outcome;
    },
    close: () => http.close(),
  };
}

/** Paths and queries may hold secrets of the receiver. */
function hostOf({ url }: PostRequest): { 'server.address': string } | Record<string, never> {
  const host = URL.parse(url)?.host;
  return host ? { 'server.address': host } : {};
}
