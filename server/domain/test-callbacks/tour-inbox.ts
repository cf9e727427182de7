import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import type { OutgoingHttp, PostOutcome } from '../../platform/outgoing/http-client.ts';

/*
 * The guided tour of the documentation ends with a callback that the page itself receives. A browser cannot listen, and
 * the service must not connect to addresses of its own network. So a test callback to an inbox of the tour takes no
 * network at all: the delivery records the signed headers as the response of the receiver, and the page reads them.
 */

const inboxName = /^[0-9a-f]{32}$/;

/** The addresses of inboxes, without their random names. */
export function tourInboxesOf(publicUrl: string): string {
  return `${publicUrl}/docs/tour/inbox/`;
}

/** Compares the whole address, so that it cannot lead anywhere else. */
export function isTourInbox(url: string, publicUrl: string): boolean {
  const inboxes = tourInboxesOf(publicUrl);
  return url.startsWith(inboxes) && inboxName.test(url.slice(inboxes.length));
}

/** Test callbacks may go to an inbox, although its address is one of this service. */
export function allowTourInbox(guard: AddressGuard, publicUrl: string): AddressGuard {
  return {
    ...guard,
    whyPlainlyRefused: (url) => (isTourInbox(url, publicUrl) ? null : guard.whyPlainlyRefused(url)),
  };
}

/** The part of a request that the receiver needs to verify it. */
export interface ReceivedHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/** Test callbacks to an inbox arrive there; all other requests are sent. */
export function withTourInbox(http: OutgoingHttp, publicUrl: string): OutgoingHttp {
  return {
    ...http,
    async post(request) {
      const { url, headers, body, purpose } = request;
      const isForInbox = purpose === 'callback' && isTourInbox(url, publicUrl) && isTest(body);
      return isForInbox ? received(headers) : await http.post(request);
    },
  };
}

function received(headers: Record<string, string>): PostOutcome {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const kept = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return {
    kind: 'answered',
    status: 200,
    retryAfter: null,
    response: JSON.stringify(kept),
    address: '',
    durationMs: 0,
  };
}

function isTest(body: string): boolean {
  return (JSON.parse(body) as { test?: unknown }).test === true;
}

/** null: the recorded response is not that of an inbox. */
export function readReceivedHeaders(response: string): ReceivedHeaders | null {
  try {
    const { 'webhook-id': id, ...rest } = JSON.parse(response) as ReceivedHeaders;
    return typeof id === 'string' ? { 'webhook-id': id, ...rest } : null;
  } catch {
    return null;
  }
}
