import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenRequest, TokenRetval } from '../contract/main/get-token.ts';
import { signRequest } from '../sdk/client.ts';
import { faultAccount, faultClient, faultKey } from './child-process.ts';
import { type ContractAnswer, type ReadAnswer, readAnswer } from './contract-answer.ts';
import type { Ledger } from './ledger.ts';
import { patiently } from './patience.ts';
import type { ServiceNode } from './service-node.ts';

/** How the attempts at one node ended, and how long it went without a 200. */
export interface Tally {
  requests: number;
  done: number;
  refused: number;
  busy: number;
  /** Refused as this fault has it, and sent to the next node. */
  tolerated: number;
  /** Nobody listened. */
  unreached: number;
  /** The connection broke before the answer was there. */
  cut: number;
  retries: number;
  slowestAnswerMs: number;
  longestGapMs: number;
  lastDoneAt: number;
}

export interface CallerRules {
  quick: boolean;
  /** Where a caller reaches a node, if not straight at it. */
  urlOf?(node: number): string | undefined;
  /** Statuses that this node may answer with although the contract does not expect it of a sound one; the next node is asked then. */
  tolerates?(node: number, status: number): boolean;
  /** Connections may break although no node was killed. */
  connectionsMayBreak?: boolean;
  /** Whatever a caller would have to send again is a finding; on a busy machine a node may still say that it is busy, and is counted. */
  mustSucceedAtOnce?: boolean;
  fetch?: typeof fetch;
}

export interface PersistentCaller {
  /** null: the answer was none that the contract knows. */
  call(home: number, path: string, content: object): Promise<ContractAnswer | null>;
  /** As of now: one for each node, then one for all together. */
  tallies(): Tally[];
  /** The longest time without any 200 since this was last asked. */
  takeLongestGapMs(): number;
}

const answeredWithinMs = 60_000;
/** The contract promises 5 s: what takes longer than this has no answer. */
const attemptMsMax = 10_000;
const pauseMs = 50;
const loggedWithinMs = 500;

/** Calls as the contracts ask: what has no answer, or 503 or 429, is sent again as it is, now on the next node. */
export function makePersistentCaller(nodes: ServiceNode[], ledger: Ledger, rules: CallerRules): PersistentCaller {
  const withinMs = patiently(answeredWithinMs, rules.quick);
  const attemptMs = patiently(attemptMsMax, rules.quick);
  const ofNodes = nodes.map(makeTally);
  const together = makeTally();
  const lately: Gap = makeTally();
  let token: Promise<string> | null = null;

  async function call(home: number, path: string, content: object): Promise<ContractAnswer | null> {
    const body = JSON.stringify(content);
    const giveUpAt = performance.now() + withinMs;
    for (let tries = 0; performance.now() < giveUpAt; tries++) {
      const at = (home + tries) % nodes.length;
      const both = [ofNodes[at]!, together];
      const count = (what: CountedEnd | 'requests' | 'retries') => both.forEach((tally) => void tally[what]++);
      count('requests');
      if (tries > 0) count('retries');

      // A token that must be fetched first has answers of its own.
      const credentials = await credentialsFor(at, path, body);
      const startedAt = performance.now();
      const outcome = await attempt(at, path, body, credentials);
      if (outcome.end === 'strange') return null;
      count(outcome.end);
      for (const tally of both) tally.slowestAnswerMs = Math.max(tally.slowestAnswerMs, Math.round(performance.now() - startedAt));
      if (outcome.end === 'done') [...both, lately].forEach(endGap);
      if (outcome.end === 'done' || outcome.end === 'refused') return outcome.answer;
      if (outcome.end === 'busy' && rules.mustSucceedAtOnce && !rules.quick) ledger.find('wrong', `${path} was answered with 503 or 429`);
      if (outcome.end === 'busy') await sleep(Math.min(outcome.retryAfterSeconds * 1000, withinMs));
      else if (tries % nodes.length === nodes.length - 1) await sleep(pauseMs);
    }
    ledger.find('wrong', `${path} had no answer for ${withinMs / 1000} s: ${body}`);
    return null;
  }

  async function attempt(at: number, path: string, body: string, credentials: Record<string, string>): Promise<Outcome> {
    const node = nodes[at]!;
    const life = node.life();
    try {
      const headers = { 'content-type': 'application/json', ...credentials };
      const signal = AbortSignal.timeout(attemptMs);
      // Not with the clients of the SDK, since every byte of every answer is looked at, and the next try goes to another node.
      const response = await (rules.fetch ?? fetch)(`${rules.urlOf?.(at) ?? node.url}${path}`, { method: 'POST', headers, body, signal });
      const outcome = readAnswer(path, response, await response.text());
      if (outcome.end !== 'strange') return outcome;
      if (rules.tolerates?.(at, outcome.status)) return { end: 'tolerated' };
      ledger.find('wrong', `${node.name} answered ${path} ${outcome.what}${await loggedAbout(response.headers.get('trace-id'))}`);
      return outcome;
    } catch (error) {
      const { message, cause } = error as Error;
      const isKilled = life === null || life !== node.life();
      if (rules.mustSucceedAtOnce || (!isKilled && !rules.connectionsMayBreak))
        ledger.find('wrong', `${node.name} broke off without having been killed: ${path}: ${message} (${cause})`);
      return { end: (cause as { code?: string } | undefined)?.code === 'ECONNREFUSED' ? 'unreached' : 'cut' };
    }
  }

  /** What nodes have to say about it, as an operator would look it up. */
  async function loggedAbout(traceId: string | null): Promise<string> {
    if (traceId === null) return '';
    await sleep(loggedWithinMs);
    const lines = nodes.flatMap((node) => node.output().split('\n'));
    return lines.flatMap((line) => (line.includes(traceId) ? [`\n    ${line}`] : [])).join('');
  }

  async function credentialsFor(home: number, path: string, body: string): Promise<Record<string, string>> {
    const { accountNo, secret } = faultAccount;
    if (path.startsWith('/warehouse/')) return { ...signRequest({ accountNo, secret, body }) };
    if (path.startsWith('/logistics/')) return { authorization: faultKey.apiKey };
    if (path === tokenPath) return {};
    token ??= getToken(home);
    return { authorization: `Bearer ${await token}` };
  }

  /** Good for longer than any fault takes, and at every node. */
  async function getToken(home: number): Promise<string> {
    const content: TokenRequest = { ClientId: faultClient.clientId, CheckValue: faultClient.checkValue };
    const answer = await call(home, tokenPath, content);
    return answer?.status === 200 ? (answer.data as TokenRetval).access_token : 'none';
  }

  return {
    call,
    tallies: () => [...ofNodes, together].map((tally) => ({ ...tally, longestGapMs: longestGapMsUntilNow(tally) })),
    takeLongestGapMs() {
      const longestMs = longestGapMsUntilNow(lately);
      lately.longestGapMs = 0;
      return longestMs;
    },
  };
}

const tokenPath = '/api/v1/token/getToken';

type Gap = Pick<Tally, 'longestGapMs' | 'lastDoneAt'>;
type CountedEnd = Exclude<Outcome['end'], 'strange'>;
type Outcome = ReadAnswer | { end: 'unreached' | 'cut' | 'tolerated' };

function makeTally(): Tally {
  return {
    ...{ requests: 0, done: 0, refused: 0, busy: 0, tolerated: 0, unreached: 0, cut: 0, retries: 0 },
    ...{ slowestAnswerMs: 0, longestGapMs: 0, lastDoneAt: performance.now() },
  };
}

function longestGapMsUntilNow({ longestGapMs, lastDoneAt }: Gap): number {
  return Math.max(longestGapMs, Math.round(performance.now() - lastDoneAt));
}

function endGap(gap: Gap): void {
  gap.longestGapMs = longestGapMsUntilNow(gap);
  gap.lastDoneAt = performance.now();
}
