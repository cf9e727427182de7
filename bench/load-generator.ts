import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Shape } from './order-shapes.ts';

/** One stretch of load. */
export interface LoadSlice {
  port: number;
  connections: number;
  seconds: number;
  requestsMax: number;
  requests: Requests;
}

/** Signed orders, each with its own number; or the same bytes (base64) again and again, with the status that is right for them. */
export type Requests = { kind: 'orders'; shape: Shape; numbersBeginWith: string } | { kind: 'same'; bytes: string; status: number };

export type LoadCommand = { kind: 'prepare'; slice: LoadSlice } | { kind: 'begin' };

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  answeredInTime: number;
  /** Answered as is right (an order with 200 and not as a repeat), also after the time was up. */
  acknowledged: number;
  wrong: number;
  /** What the first wrong answer said. */
  example: string;
  /** Connections that closed without an answer: these orders may or may not exist. */
  unanswered: number;
  /** All prepared requests were used before the time was up. */
  ranOut: boolean;
  /** Of one core, used by the load itself. */
  cpuShare: number;
}

export interface LoadGenerator {
  pid: number;
  /** Requests are built and signed, and connections are opened, before the clock starts. */
  run(slice: LoadSlice): Promise<LoadResult>;
  stop(): void;
}

/** One process for the whole run, so that its code is warm: with bare sockets, or as a partner does with the SDK. */
export function startLoadGenerator(by: 'sockets' | 'sdk' = 'sockets'): LoadGenerator {
  const program = by === 'sockets' ? './load-process.ts' : './sdk-load-process.ts';
  const child = fork(new URL(program, import.meta.url), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return {
    pid: child.pid!,
    async run(slice) {
      await ask(child, { kind: 'prepare', slice });
      return (await ask(child, { kind: 'begin' })) as LoadResult;
    },
    stop: () => void child.kill(),
  };
}

async function ask(child: ChildProcess, command: LoadCommand): Promise<unknown> {
  const ended = new AbortController();
  const onExit = () => ended.abort(new Error('the load generator ended'));
  child.once('exit', onExit);
  try {
    const answer = once(child, 'message', { signal: ended.signal });
    child.send(command);
    return (await answer)[0];
  } finally {
    child.off('exit', onExit);
  }
}
