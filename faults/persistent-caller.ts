import { setTimeout as sleep } from 'node:timers/promises';
import { warehouseReference } from '../contract/warehouse/reference.ts';
import { signRequest } from '../sdk/client.ts';
import { makeChecker, wordPath } from '../server/platform/schema.ts';
import { faultAccount } from './child-process.ts';
import type { Ledger } from './ledger.ts';
import type { ServiceNode } from './service-node.ts';

export interface WarehouseAnswer {
  status: 200 | 400;
  code: string;
  message: string;
  data: unknown;
}

/** How the attempts at one node ended, and how long it went without a 200. */
export interface Tally {
  requests: number;
  done: number;
  refused: number;
  busy: number;
  /** Nobody listened. */
  unreached: number;
  /** The connection broke before the answer was there. */
  cut: number;
  retries: number;
  longestGapMs: number;
  lastDoneAt: number;
}

export interface PersistentCaller {
  /** null: the answer was none that the contract knows. */
  call(home: number, path: string, content: object): Promise<WarehouseAnswer | null>;
  /** One for each node, then one for all together. */
  tallies(): Tally[];
}

const answeredWithinSeconds = 60;
const attemptSecondsMax = 10;
const pauseMs = 50;

/** Calls as the contract asks: what has no answer, or 503, is sent again as it is, now on the other node. */
export function makePersistentCaller(nodes: ServiceNode[], ledger: Ledger): PersistentCaller {
  const ofNodes = nodes.map(makeTally);
  const together = makeTally();

  async function call(home: number, path: string, content: object): Promise<WarehouseAnswer | null> {
    const giveUpAt = performance.now() + answeredWithinSeconds * 1000;
    for (let tries = 0; performance.now() < giveUpAt; tries++) {
      const at = (home + tries) % nodes.length;
      const count = (what: CountedEnd | 'requests' | 'retries') => [ofNodes[at]!, together].forEach((tally) => void tally[what]++);
      count('requests');
      if (tries > 0) count('retries');

      const outcome = await attempt(nodes[at]!, path, content);
      if (outcome.end === 'strange') return null;
      count(outcome.end);
      if (outcome.end === 'done') [ofNodes[at]!, together].forEach(endGap);
      if (outcome.end === 'done' || outcome.end === 'refused') return outcome.answer;
      if (outcome.end === 'busy') await sleep(outcome.retryAfterSeconds * 1000);
      else if (tries % nodes.length === nodes.length - 1) await sleep(pauseMs);
    }
    ledger.find('wrong', `${path} had no answer for ${answeredWithinSeconds} s: ${JSON.stringify(content)}`);
    return null;
  }

  async function attempt(node: ServiceNode, path: string, content: object): Promise<Outcome> {
    const life = node.life();
    try {
      const response = await callWarehouse(node.url, path, content);
      const outcome = read(path, response, await response.json());
      if (outcome.end === 'strange') ledger.find('wrong', `${node.name} answered ${path} ${outcome.what}`);
      return outcome;
    } catch (error) {
      const { message, cause } = error as Error;
      if (life !== null && life === node.life())
        ledger.find('wrong', `${node.name} broke off without having been killed: ${message} (${cause})`);
      return { end: (cause as { code?: string } | undefined)?.code === 'ECONNREFUSED' ? 'unreached' : 'cut' };
    }
  }

  return {
    call,
    tallies() {
      const all = [...ofNodes, together];
      all.forEach(endGap);
      return all;
    },
  };
}

/** Not with the client of the SDK, since every byte of every answer is looked at, and the next try goes to another node. */
async function callWarehouse(url: string, path: string, content: object): Promise<Response> {
  const { accountNo, secret } = faultAccount;
  const body = JSON.stringify(content);
  return await fetch(`${url}/warehouse/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signRequest({ accountNo, secret, body }) },
    body,
    signal: AbortSignal.timeout(attemptSecondsMax * 1000),
  });
}

type CountedEnd = Exclude<Outcome['end'], 'strange'>;
type Outcome =
  | { end: 'done' | 'refused'; answer: WarehouseAnswer }
  | { end: 'busy'; retryAfterSeconds: number }
  | { end: 'unreached' | 'cut' }
  | { end: 'strange'; what: string };

/** Every form of an answer that the contract knows. */
const checkers = new Map(
  warehouseReference.endpoints.flatMap(({ path, answers }) =>
    answers.map(({ status, schema }) => [`${status} ${path}`, makeChecker(schema)] as const),
  ),
);

function read(path: string, { status, headers }: Response, envelope: unknown): Outcome {
  const checked = checkers.get(`${status} ${path}`)?.(envelope);
  const isOfContract = checked?.kind === 'valid';
  const retryAfterSeconds = Number(headers.get('retry-after') ?? Number.NaN);
  if (isOfContract && (status === 200 || status === 400)) {
    return { end: status === 200 ? 'done' : 'refused', answer: { status, ...(envelope as Omit<WarehouseAnswer, 'status'>) } };
  }
  if (isOfContract && status === 503 && retryAfterSeconds > 0) return { end: 'busy', retryAfterSeconds };
  const mistakes = checked?.kind === 'mistakes' ? checked.mistakes.map((one) => `${wordPath(one.path)} ${one.message}, `) : [];
  return { end: 'strange', what: `${status} ${mistakes.join('')}${JSON.stringify(envelope)}` };
}

function makeTally(): Tally {
  return { requests: 0, done: 0, refused: 0, busy: 0, unreached: 0, cut: 0, retries: 0, longestGapMs: 0, lastDoneAt: performance.now() };
}

function endGap(tally: Tally): void {
  const now = performance.now();
  tally.longestGapMs = Math.max(tally.longestGapMs, Math.round(now - tally.lastDoneAt));
  tally.lastDoneAt = now;
}
