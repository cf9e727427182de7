import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenRequest, TokenRetval } from '../contract/main/get-token.ts';
import { signRequest } from '../sdk/client.ts';
import { faultAccount, faultClient, faultKey } from './child-process.ts';
import { type ContractAnswer, type ReadAnswer, readAnswer } from './contract-answer.ts';
import type { Ledger } from './ledger.ts';
import { extendForQuickRun } from './patience.ts';
import type { ServiceNode } from './service-node.ts';

/** The outcomes of the attempts at one node, and its longest time without a 200. */
export interface Tally {
  requests: number;
  done: number;
  refused: number;
  busy: number;
  /** Responses that only this fault allows; the request then went to the next node. */
  tolerated: number;
  /** The connection was refused. */
  unreached: number;
  /** The connection broke before the response was complete. */
  cut: number;
  retries: number;
  slowestAnswerMs: number;
  longestGapMs: number;
  lastDoneAt: number;
}

export interface CallerRules {
  quick: boolean;
  /** The URL of a proxy in front of a node; undefined: the node itself. */
  urlOf?(node: number): string | undefined;
  /** Whether a faulty node may respond with this status, which the contract does not allow; the next node is tried then. */
  tolerates?(node: number, status: number): boolean;
  /** Connections may break although no node was killed. */
  connectionsMayBreak?: boolean;
  /** Every retry is a finding, except that in a quick run a node may be busy. */
  mustSucceedAtOnce?: boolean;
  /** Some nodes may run an older version, which has only a part of today's contract. */
  nodesMayBeOlder?: boolean;
  /** How long a caller repeats a request; afterwards it is a finding that it was never served. */
  answeredWithinMs?: number;
  fetch?: typeof fetch;
}

const answeredWithinMsDefault = 60_000;
/** The contracts promise a response within 5 s; an attempt that takes longer than this counts as unanswered. */
const attemptMsMax = 10_000;
const pauseMs = 50;
const loggedWithinMs = 500;
const tokenPath = '/api/v1/token/getToken';

/** Calls as the contracts ask of partners: after 503, 429 or no response, it sends the same request to the next node. */
export class PersistentCaller {
  private readonly nodes: ServiceNode[];
  private readonly ledger: Ledger;
  private readonly rules: CallerRules;
  private readonly withinMs: number;
  private readonly attemptMs: number;
  private readonly counts: Tallies;
  private token: Promise<string> | null = null;

  constructor(nodes: ServiceNode[], ledger: Ledger, rules: CallerRules) {
    this.nodes = nodes;
    this.ledger = ledger;
    this.rules = rules;
    this.withinMs = extendForQuickRun(rules.answeredWithinMs ?? answeredWithinMsDefault, rules.quick);
    this.attemptMs = extendForQuickRun(attemptMsMax, rules.quick);
    this.counts = new Tallies(nodes.length);
  }

  /** null: the contract does not allow the response. */
  async call(home: number, path: string, content: object): Promise<ContractAnswer | null> {
    const { nodes, ledger, rules, withinMs } = this;
    const body = JSON.stringify(content);
    const giveUpAt = performance.now() + withinMs;
    for (let tries = 0; performance.now() < giveUpAt; tries++) {
      const at = (home + tries) % nodes.length;
      const outcome = await this.countedAttempt(at, path, body, tries > 0);
      if (outcome.end === 'strange') return null;
      if (outcome.end === 'done' || outcome.end === 'refused') return outcome.answer;
      if (outcome.end === 'busy' && rules.mustSucceedAtOnce && !rules.quick)
        ledger.find('wrong', `${path} got the response 503 or 429`);
      if (outcome.end === 'busy') await sleep(Math.min(outcome.retryAfterSeconds * 1000, withinMs));
      else if (tries % nodes.length === nodes.length - 1) await sleep(pauseMs);
    }
    ledger.find('wrong', `${path} got no response for ${withinMs / 1000} s: ${body}`);
    return null;
  }

  /** The current counts: one for each node, then one for all nodes together. */
  tallies(): Tally[] {
    return this.counts.current();
  }

  /** The longest time without any 200 since the last call. */
  takeLongestGapMs(): number {
    return this.counts.takeLongestGapMs();
  }

  /** The same for changes, for the changes of each contract, and for queries. */
  takeLongestGapsMs(): Record<string, number> {
    return this.counts.takeLongestGapsMs();
  }

  private async countedAttempt(at: number, path: string, body: string, isRetry: boolean): Promise<Outcome> {
    this.counts.count(at, 'requests');
    if (isRetry) this.counts.count(at, 'retries');
    // Fetching a token may take requests of its own, which are timed separately.
    const credentials = await this.credentialsFor(at, path, body);
    const startedAt = performance.now();
    const outcome = await this.attempt(at, path, body, credentials);
    if (outcome.end !== 'strange')
      this.counts.noteEnd(at, kindOf(path), outcome.end, Math.round(performance.now() - startedAt));
    return outcome;
  }

  private async attempt(at: number, path: string, body: string, credentials: Record<string, string>): Promise<Outcome> {
    const { rules, ledger } = this;
    const node = this.nodes[at]!;
    const life = node.life();
    try {
      const headers = { 'content-type': 'application/json', ...credentials };
      const signal = AbortSignal.timeout(this.attemptMs);
      const url = `${rules.urlOf?.(at) ?? node.url}${path}`;
      // The SDK is not used, because every byte of every response is checked and each retry goes to another node.
      const response = await (rules.fetch ?? fetch)(url, { method: 'POST', headers, body, signal });
      const outcome = readAnswer(path, response, await response.text(), rules.nodesMayBeOlder);
      if (outcome.end !== 'strange') return outcome;
      if (rules.tolerates?.(at, outcome.status)) return { end: 'tolerated' };
      const logged = await this.loggedAbout(response.headers.get('trace-id'));
      ledger.find('wrong', `${node.name} responded to ${path} with ${outcome.what}${logged}`);
      return outcome;
    } catch (error) {
      const { message, cause } = error as Error;
      const isKilled = life === null || life !== node.life();
      if (rules.mustSucceedAtOnce || (!isKilled && !rules.connectionsMayBreak))
        ledger.find('wrong', `${node.name} broke a connection without being killed: ${path}: ${message} (${cause})`);
      return { end: (cause as { code?: string } | undefined)?.code === 'ECONNREFUSED' ? 'unreached' : 'cut' };
    }
  }

  /** The log lines of all nodes with this trace id. */
  private async loggedAbout(traceId: string | null): Promise<string> {
    if (traceId === null) return '';
    await sleep(loggedWithinMs);
    const lines = this.nodes.flatMap((node) => node.output().split('\n'));
    return lines.flatMap((line) => (line.includes(traceId) ? [`\n    ${line}`] : [])).join('');
  }

  private async credentialsFor(home: number, path: string, body: string): Promise<Record<string, string>> {
    const { accountNo, secret } = faultAccount;
    if (path.startsWith('/warehouse/')) return { ...signRequest({ accountNo, secret, body }) };
    if (path.startsWith('/logistics/')) return { authorization: faultKey.apiKey };
    if (path === tokenPath) return {};
    this.token ??= this.getToken(home);
    return { authorization: `Bearer ${await this.token}` };
  }

  /** A token is valid at every node, and for longer than any fault takes. */
  private async getToken(home: number): Promise<string> {
    const content: TokenRequest = { ClientId: faultClient.clientId, CheckValue: faultClient.checkValue };
    const answer = await this.call(home, tokenPath, content);
    return answer?.status === 200 ? (answer.data as TokenRetval).access_token : 'none';
  }
}

/** Kinds of requests whose gaps are measured separately. Stock queries are the only ones that change nothing. */
type RequestKind = 'main' | 'warehouse' | 'logistics' | 'queries';

function kindOf(path: string): RequestKind {
  if (path === '/warehouse/v1/stock/query') return 'queries';
  return path.startsWith('/warehouse/') ? 'warehouse' : path.startsWith('/logistics/') ? 'logistics' : 'main';
}

type Gap = Pick<Tally, 'longestGapMs' | 'lastDoneAt'>;
type CountedEnd = Exclude<Outcome['end'], 'strange'>;
type Outcome = ReadAnswer | { end: 'unreached' | 'cut' | 'tolerated' };

/** One tally for each node, and one for all nodes together. */
class Tallies {
  private readonly ofNodes: Tally[];
  private readonly together = makeTally();
  private readonly lately: Gap = makeTally();
  private readonly latelyOf: Record<RequestKind | 'changes', Gap> = {
    changes: makeTally(),
    main: makeTally(),
    warehouse: makeTally(),
    logistics: makeTally(),
    queries: makeTally(),
  };

  constructor(nodes: number) {
    this.ofNodes = Array.from({ length: nodes }, makeTally);
  }

  count(node: number, what: CountedEnd | 'requests' | 'retries'): void {
    for (const tally of this.both(node)) tally[what]++;
  }

  noteEnd(node: number, kind: RequestKind, end: CountedEnd, durationMs: number): void {
    this.count(node, end);
    for (const tally of this.both(node)) tally.slowestAnswerMs = Math.max(tally.slowestAnswerMs, durationMs);
    if (end === 'done') [...this.both(node), this.lately, ...this.ofKind(kind)].forEach(endGap);
  }

  current(): Tally[] {
    return [...this.ofNodes, this.together].map((tally) => ({ ...tally, longestGapMs: longestGapMsUntilNow(tally) }));
  }

  takeLongestGapMs(): number {
    return takeGapMs(this.lately);
  }

  takeLongestGapsMs(): Record<string, number> {
    const gaps = Object.entries(this.latelyOf).map(([kind, gap]) => [kind, takeGapMs(gap)]);
    return Object.fromEntries(gaps);
  }

  private ofKind(kind: RequestKind): Gap[] {
    const { latelyOf } = this;
    return kind === 'queries' ? [latelyOf.queries] : [latelyOf[kind], latelyOf.changes];
  }

  private both(node: number): Tally[] {
    return [this.ofNodes[node]!, this.together];
  }
}

function makeTally(): Tally {
  return {
    requests: 0,
    done: 0,
    refused: 0,
    busy: 0,
    tolerated: 0,
    unreached: 0,
    cut: 0,
    retries: 0,
    slowestAnswerMs: 0,
    longestGapMs: 0,
    lastDoneAt: performance.now(),
  };
}

function longestGapMsUntilNow({ longestGapMs, lastDoneAt }: Gap): number {
  return Math.max(longestGapMs, Math.round(performance.now() - lastDoneAt));
}

function takeGapMs(gap: Gap): number {
  const longestMs = longestGapMsUntilNow(gap);
  gap.longestGapMs = 0;
  return longestMs;
}

function endGap(gap: Gap): void {
  gap.longestGapMs = longestGapMsUntilNow(gap);
  gap.lastDoneAt = performance.now();
}
