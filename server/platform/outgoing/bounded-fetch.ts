/**
 * A `fetch` for servers that the operator of this service has chosen, at any address. It bounds the response, follows no
 * redirect, and keeps within the deadline of the caller.
 */
export function makeBoundedFetch({ bytesMax, timeoutMs }: { bytesMax: number; timeoutMs: number }) {
  return async (url: string, options: RequestInit): Promise<Response> => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])]);
    const response = await fetch(url, { ...options, signal, redirect: 'manual' });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new Error(`the response has more than ${bytesMax} bytes`);
      chunks.push(chunk);
    }
    const { status, statusText, headers } = response;
    const isBare = status === 204 || status === 304;
    const whole = new Response(isBare ? null : Buffer.concat(chunks), { status, statusText, headers });
    Object.defineProperty(whole, 'url', { value: response.url });
    return whole;
  };
}
