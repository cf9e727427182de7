import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** Time for the rest of a piece of work, such as compressing and writing its output, to end before the look. */
const settleMs = 5;
/** A short pause, long enough for several groups of orders: between two groups, the event loop only waits for the database. */
const lookMs = 10;
/** A share of time in which the event loop runs the work of others. Above it, they come first. */
const busyShare = 0.2;
/** Beside the work of others, long work takes one part of twenty. */
const pauseFactor = 19;
const pauseMaxMs = 2000;

/** The process, as tests replace it. */
export interface PaceProcess {
  nowMs(): number;
  wait(ms: number): Promise<unknown>;
  /** The share of the time since the last call in which the event loop worked. */
  usedShare(): number;
}

/**
 * Lets long work use a process that has nothing else to do, and keeps it from slowing down others. Await it between two
 * pieces of work: it pauses while the event loop is busy with something else.
 */
export function makeCourteousPace(node: PaceProcess = thisProcess()): () => Promise<void> {
  let startedMs = node.nowMs();
  return async () => {
    const workMs = node.nowMs() - startedMs;
    await node.wait(settleMs);
    node.usedShare();
    await node.wait(lookMs);
    if (node.usedShare() > busyShare) await node.wait(Math.min(workMs * pauseFactor, pauseMaxMs));
    startedMs = node.nowMs();
  };
}

function thisProcess(): PaceProcess {
  let last = performance.eventLoopUtilization();
  return {
    nowMs: () => performance.now(),
    wait,
    usedShare() {
      const { utilization } = performance.eventLoopUtilization(last);
      last = performance.eventLoopUtilization();
      return utilization;
    },
  };
}
