import { exitCodes, Failure } from './command-line.ts';

/** The response to a request. */
export interface Exchange {
  status: number;
  traceId: string | null;
  /** Parsed JSON, or the text if it is not JSON. */
  answer: unknown;
  durationMs: number;
}

const answerWithinSeconds = 30;

export async function exchange(
  method: 'GET' | 'POST',
  url: string,
  headers: Record<string, string>,
  body: Buffer | null,
): Promise<Exchange> {
  refuseUnsendable(headers);
  const startedMs = performance.now();
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body === null ? {} : { body: new Uint8Array(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinSeconds * 1000),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      traceId: answer.headers.get('trace-id'),
      answer: parsed(text),
      durationMs: performance.now() - startedMs,
    };
  } catch (error) {
    const { code, name } = ((error as Error).cause ?? error) as { code?: string; name: string };
    throw new Failure(
      exitCodes.cannotRun,
      `no response from ${new URL(url).origin} (${code ?? name}); is the service running there?`,
    );
  }
}

function refuseUnsendable(headers: Record<string, string>): void {
  const [name] = Object.entries(headers).find(([, value]) => !/^[ -~]*$/.test(value)) ?? [];
  if (name === undefined) return;
  throw new Failure(
    exitCodes.wrongUsage,
    `the header ${name} cannot be sent: it may only contain visible ASCII characters and spaces`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
