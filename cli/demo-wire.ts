import { type ClientOptions, LadingError } from '../sdk/client.ts';
import { exitCodes, Failure } from '../server/command-line.ts';
import { cutShort } from './demo-layout.ts';

// biome-ignore lint/suspicious/noExplicitAny: what comes back is compared with what is expected, whatever it is.
export type Json = any;

export interface Exchange {
  path: string;
  /** Those that matter, with secrets cut short. */
  headers: Record<string, string>;
  body: unknown;
  status: number;
  answer: Json;
}

/** Where the clients of the demo are overheard. */
export interface DemoWire {
  /** For a client whose calls are to be told of. */
  to(url: string): ClientOptions;
  /** What goes to and fro during a call. One that is refused is none the less answered. */
  during(call: () => Promise<unknown>): Promise<Exchange[]>;
}

const answerWithinSeconds = 30;

export function makeDemoWire(): DemoWire {
  let exchanges: Exchange[] = [];

  const overheard: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init);
    exchanges.push({
      path: new URL(String(url)).pathname,
      headers: headersShown(init!.headers as Record<string, string>),
      body: JSON.parse(String(init!.body)),
      status: answer.status,
      answer: await answer.clone().json(),
    });
    return answer;
  };

  return {
    // What is not as it should be is told at once, and not tried again.
    to: (url) => ({ url, fetch: overheard, timeoutSeconds: answerWithinSeconds, retriesMax: 0 }),
    async during(call) {
      exchanges = [];
      await call().catch((error) => {
        if (error instanceof LadingError && error.status !== null) return;
        throw error instanceof LadingError ? new Failure(exitCodes.cannotRun, error.message) : error;
      });
      return exchanges;
    },
  };
}

const shownWhole = ['account-no', 'timestamp'];

function headersShown({ 'content-type': _, ...headers }: Record<string, string>): Record<string, string> {
  const shown = (name: string, value: string) => {
    if (shownWhole.includes(name)) return value;
    return value.startsWith('Bearer ') ? `Bearer ${cutShort(value.slice('Bearer '.length))}` : cutShort(value);
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shown(name, value)]));
}
