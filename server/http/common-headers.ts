/** Headers of every response, also as the text that the bare socket needs. */
export interface CommonHeaders {
  values: Record<string, string>;
  text: string;
}

const yearSeconds = 31_536_000;

/**
 * Nothing that we send may be framed, guessed at, cached or loaded by other sites. Pages and files send their own policy
 * instead. Browsers honour HSTS only over HTTPS, so it is sent only if partners reach the service there.
 */
export function commonHeadersFor(publicUrl: string): CommonHeaders {
  const values = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${yearSeconds}` } : {}),
  };
  return { values, text: formatHeaders(values) };
}

export function formatHeaders(headers: Record<string, string>): string {
  let text = '';
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return text;
}
