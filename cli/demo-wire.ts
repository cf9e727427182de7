import { type ClientOptions, LadingError } from '../sdk/client.ts';
import { exitCodes, Failure } from './command-line.ts';
import { cutShort } from './demo-layout.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses of any type are compared with the expected value.
export type Json = any;

export interface Exchange {
  path: string;
  /** The relevant headers, with truncated secrets. */
  headers: Record<string, string>;
  body: unknown;
  status: number;
  answer: Json;
}

/** Records the requests and responses of the demo's clients. */
export interface DemoWire {
  /** Options for a client whose requests are recorded. */
  to(url: string): ClientOptions;
  /** Returns the exchanges during a call. A rejected request counts as an exchange too. */
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
    // Unexpected responses are reported immediately instead of being retried.
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
/** The headers that the contracts ask for, in the order of the guides. */
const headersOfContracts = [...shownWhole, 'sign', 'authorization'];

function headersShown(headers: Record<string, string>): Record<string, string> {
  const shown = (name: string, value: string) => {
    if (shownWhole.includes(name)) return value;
    return value.startsWith('Bearer ') ? `Bearer ${cutShort(value.slice('Bearer '.length))}` : cutShort(value);
  };
  const sent = headersOfContracts.filter((name) => name in headers);
  return Object.fromEntries(sent.map((name) => [name, shown(name, headers[name]!)]));
}
