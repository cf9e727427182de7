/** The admin API of another product, for the preparation. Every response is expected to be a success. */
export interface JsonClient {
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, content: object): Promise<Body>;
}

const answeredWithinMs = 120_000;

export function makeJsonClient(url: string, headers: Record<string, string> = {}): JsonClient {
  async function ask<Body>(path: string, request: RequestInit): Promise<Body> {
    const response = await fetch(`${url}${path}`, { ...request, signal: AbortSignal.timeout(answeredWithinMs) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
    return JSON.parse(text) as Body;
  }
  return {
    get: (path) => ask(path, { headers }),
    post: (path, content) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(content),
      }),
  };
}
