/**
 * The counts behind limits that apply to a node, when several processes share it. Each process decides at once, by its
 * own counts and by what it last heard of the others; nobody waits for a message. Together they can exceed a limit by
 * what the others admit while a message is on its way.
 */
export interface SharedCounts {
  /** How many processes share the limits of the node. */
  readonly processes: number;
  /** A number that rises and falls, such as requests in progress. `onOthers` is called when the others' part changes. */
  level(name: string, onOthers?: () => void): Level;
  /**
   * Returns a function that reports an addition; `apply` gets the additions of the other processes, with their age. The
   * additions to a key never last longer than `leftMaxMs` from now.
   */
  additions(
    name: string,
    apply: (key: string, milliseconds: number, ageMs: number) => void,
    leftMaxMs?: number,
  ): (key: string, milliseconds: number) => void;
}

export interface Level {
  /** Reports the part of this process. */
  set(own: number): void;
  /** The part of the other processes. */
  others(): number;
}

/** To the supervisor: the part of one process. From the supervisor: the part of all others. */
export interface CountsMessage {
  levels: [name: string, value: number][];
  /** These decay by themselves, within so many milliseconds; a negative number takes an addition back. */
  additions: [name: string, key: string, milliseconds: number, leftMaxMs: number][];
  /** The time of the earliest addition, by the clock that all processes of a machine share. */
  atMs: number;
}

export type Addition = CountsMessage['additions'][number];

/** Within this time a change is reported. Shorter times make limits more exact and cost more messages. */
export const reportWithinMs = 10;

/** Never jumps, and is the same in all processes of a machine. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** For a node with one process. */
export const unshared: SharedCounts = {
  processes: 1,
  level: () => ({ set() {}, others: () => 0 }),
  additions: () => () => {},
};

/** The side of a process; `receive` takes the messages of the supervisor. */
export function makeSharedCounts(
  processes: number,
  send: (message: CountsMessage) => void,
  nowMs: () => number = machineMs,
): SharedCounts & { receive(message: CountsMessage): void; close(): void } {
  const levels = new Map<string, { own: number; others: number; onOthers(): void }>();
  const appliers = new Map<string, Parameters<SharedCounts['additions']>[1]>();
  const report = makeCountsReport(send);
  /** Arrived before the limit existed that they belong to. */
  const early: (() => void)[] = [];

  function levelOf(name: string) {
    const known = levels.get(name) ?? { own: 0, others: 0, onOthers() {} };
    levels.set(name, known);
    return known;
  }

  function applyAddition(addition: Addition, atMs: number): void {
    const [name, key, milliseconds] = addition;
    const apply = appliers.get(name);
    if (apply) apply(key, milliseconds, Math.max(0, nowMs() - atMs));
    else early.push(() => applyAddition(addition, atMs));
  }

  return {
    processes,
    level(name, onOthers = () => {}) {
      const level = levelOf(name);
      level.onOthers = onOthers;
      return {
        set(own) {
          level.own = own;
          report.level(name, own);
        },
        others: () => level.others,
      };
    },
    additions(name, apply, leftMaxMs = Number.POSITIVE_INFINITY) {
      appliers.set(name, apply);
      for (const applyNow of early.splice(0)) applyNow();
      return (key, milliseconds) => report.addition(name, key, milliseconds, leftMaxMs, nowMs());
    },
    receive(message) {
      for (const addition of message.additions) applyAddition(addition, message.atMs);
      for (const [name, others] of message.levels) levelOf(name).others = others;
      for (const [name] of message.levels) levelOf(name).onOthers();
    },
    close: report.close,
  };
}

/** Collects changes and sends them together. */
export function makeCountsReport(send: (message: CountsMessage) => void) {
  const levels = new Map<string, number>();
  const additions = new Map<string, { leftMaxMs: number; byKey: Map<string, number> }>();
  let earliestMs = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;

  function sendAll(): void {
    timer = null;
    const message: CountsMessage = {
      levels: [...levels],
      additions: [...additions].flatMap(([name, { leftMaxMs, byKey }]) =>
        [...byKey].map(([key, milliseconds]): Addition => [name, key, milliseconds, leftMaxMs]),
      ),
      atMs: earliestMs,
    };
    earliestMs = Number.POSITIVE_INFINITY;
    levels.clear();
    additions.clear();
    send(message);
  }

  function sendSoon(): void {
    timer ??= setTimeout(sendAll, reportWithinMs).unref();
  }

  return {
    level(name: string, value: number): void {
      levels.set(name, value);
      sendSoon();
    },
    addition(name: string, key: string, milliseconds: number, leftMaxMs: number, atMs: number): void {
      earliestMs = Math.min(earliestMs, atMs);
      const { byKey } = additions.get(name) ?? { byKey: new Map<string, number>() };
      byKey.set(key, (byKey.get(key) ?? 0) + milliseconds);
      additions.set(name, { leftMaxMs, byKey });
      sendSoon();
    },
    close(): void {
      if (timer) clearTimeout(timer);
    },
  };
}
