import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { quantile } from './figures.ts';
import type { OrderShape } from './order-shapes.ts';
import type { Rate } from './turns.ts';

/** One period of load. */
export interface LoadSlice {
  port: number;
  connections: number;
  seconds: number;
  requestsMax: number;
  requests: Requests;
}

/** Signed orders of so many accounts in turn, with unique numbers, or the same bytes (base64) repeatedly, with their expected status. */
export type Requests =
  | { kind: 'orders'; shape: OrderShape; accounts: number; numbersBeginWith: string; seed: number }
  | { kind: 'same'; bytes: string; status: number };

export type LoadCommand = { kind: 'prepare'; slice: LoadSlice } | { kind: 'begin' };

interface LoadCounts {
  /** Correct responses within the period; this is the rate. */
  rightInTime: number;
  /** Correct responses (for an order: 200 and not a repeat), including those after the period. */
  acknowledged: number;
  wrong: number;
  /** The first wrong response. */
  example: string;
  /** Connections that closed without a response: these orders may or may not exist. */
  unanswered: number;
  /** All prepared requests were used before the end of the period. */
  ranOut: boolean;
  /** The fraction of one core used by the load itself. */
  cpuShare: number;
}

/** The report of one load process. */
export interface LoadReport extends LoadCounts {
  seconds: number;
  /** Latencies of correct responses within the period, in ascending order. */
  latenciesMs: Float64Array;
}

export type LoadResult = Rate & LoadCounts;

export interface LoadGenerator {
  /** Requests are built and signed, and connections are opened, before the clock starts. */
  run(slice: LoadSlice): Promise<LoadResult>;
  stop(): void;
}

/** A fraction of one core; above it, the benchmark would measure the load instead of the service. */
const busyShare = 0.85;
const processesMax = 2;

/**
 * Keeps its processes for the whole run, so that their code is warm: they use bare sockets, or the SDK like a partner.
 * It starts with one process; once that is too busy, it uses two.
 */
export function startLoadGenerator(by: 'sockets' | 'sdk' = 'sockets'): LoadGenerator {
  const program = by === 'sockets' ? './load-process.ts' : './sdk-load-process.ts';
  const children = [start()];

  function start(): ChildProcess {
    return fork(new URL(program, import.meta.url), [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
  }

  return {
    async run(slice) {
      const crew = children.slice(0, slice.connections);
      const parts = crew.map((_, index) => partOf(slice, index, crew.length));
      await Promise.all(crew.map((child, index) => ask(child, { kind: 'prepare', slice: parts[index]! })));
      const reports = (await Promise.all(crew.map((child) => ask(child, { kind: 'begin' })))) as LoadReport[];
      if (children.length < processesMax && reports.some(({ cpuShare }) => cpuShare > busyShare))
        children.push(start());
      return together(reports);
    },
    stop: () => children.forEach((child) => void child.kill()),
  };
}

function partOf(slice: LoadSlice, index: number, parts: number): LoadSlice {
  const { requests } = slice;
  return {
    ...slice,
    connections: Math.floor(slice.connections / parts) + (index < slice.connections % parts ? 1 : 0),
    requestsMax: Math.ceil(slice.requestsMax / parts),
    requests:
      requests.kind === 'orders'
        ? { ...requests, numbersBeginWith: `${requests.numbersBeginWith}${index}-`, seed: requests.seed + index }
        : requests,
  };
}

function together(reports: LoadReport[]): LoadResult {
  const latenciesMs = Float64Array.from(reports.flatMap((report) => [...report.latenciesMs])).sort();
  const sum = (name: 'rightInTime' | 'acknowledged' | 'wrong' | 'unanswered' | 'cpuShare') =>
    reports.reduce((total, report) => total + report[name], 0);
  return {
    perSecond: reports.reduce((total, { rightInTime, seconds }) => total + rightInTime / seconds, 0),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    rightInTime: sum('rightInTime'),
    acknowledged: sum('acknowledged'),
    wrong: sum('wrong'),
    unanswered: sum('unanswered'),
    cpuShare: sum('cpuShare'),
    example: reports.find(({ example }) => example !== '')?.example ?? '',
    ranOut: reports.some(({ ranOut }) => ranOut),
  };
}

/** Waits for the next message of a child process; fails if the process ends. */
export async function ask(child: ChildProcess, command: object): Promise<unknown> {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error('a process of the benchmark ended'));
  child.once('exit', onExit);
  try {
    const answer = once(child, 'message', { signal: ended.signal });
    child.send(command);
    return (await answer)[0];
  } finally {
    child.off('exit', onExit);
  }
}
