/** The span of another service, or of an earlier process of ours. */
export interface RemoteSpan {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Later versions may append fields; the version ff does not exist. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const headerMax = 256;

/** Reads the header `traceparent` of the W3C recommendation. A malformed one is ignored, as the recommendation says. */
export function readTraceparent(header: unknown): RemoteSpan | null {
  if (typeof header !== 'string' || header.length > headerMax) return null;
  const [, version, traceId, spanId, flags, rest] = form.exec(header) ?? [];
  if (traceId === undefined || (version === '00' && rest !== undefined)) return null;
  return { traceId, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 };
}
