import { setTimeout as sleep } from 'node:timers/promises';
import { consoleBasePath, csrfHeader } from '../contract/console/console-call.ts';

/** An operator who looks at pages of the console all the time. */
export interface ConsoleReader {
  /** Ends the reading; returns how many pages were read. */
  stop(): Promise<number>;
}

/** Each page shows what all nodes write, and none of them changes anything. */
const calls: [path: string, body: object][] = [
  ['/home/attention', {}],
  ['/home/flow', {}],
  ['/orders/search', {}],
  ['/inbound/search', {}],
  ['/stock/search', {}],
  ['/callbacks/search', {}],
];
const betweenReadsMs = 50;

/** Signs in once: the session must survive every node. A read that fails is passed to `onFailure`. */
export async function startConsoleReader(
  url: string,
  operator: { username: string; password: string },
  onFailure: (what: string) => void,
): Promise<ConsoleReader> {
  const session = await signIn(url, operator);
  let [reads, isOver] = [0, false];
  async function readUntilOver(): Promise<void> {
    for (let turn = 0; !isOver; turn++) {
      const [path, body] = calls[turn % calls.length]!;
      const failure = await readPage(`${url}${consoleBasePath}${path}`, body, session);
      if (failure !== null) onFailure(`the console call ${path} failed: ${failure}`);
      else reads++;
      await sleep(betweenReadsMs);
    }
  }
  const reading = readUntilOver();
  return {
    async stop() {
      isOver = true;
      await reading;
      return reads;
    },
  };
}

async function signIn(url: string, operator: object): Promise<Record<string, string>> {
  const response = await fetch(`${url}${consoleBasePath}/session/sign-in`, post(operator, {}));
  const answer = (await response.json()) as { csrf_token?: string };
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`nobody could sign in to the console: ${response.status}`);
  return { cookie, [csrfHeader]: answer.csrf_token! };
}

/** null if the page was read. */
async function readPage(url: string, body: object, session: Record<string, string>): Promise<string | null> {
  try {
    const response = await fetch(url, post(body, session));
    const text = await response.text();
    return response.ok ? null : `${response.status} ${text.slice(0, 300)}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${message} (${cause})`;
  }
}

function post(body: object, headers: Record<string, string>): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
