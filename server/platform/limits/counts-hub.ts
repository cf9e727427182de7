import { type Addition, type CountsMessage, machineMs, makeCountsReport } from './shared-counts.ts';

/**
 * The side of the supervisor: passes the counts of each process on to the others. It keeps what has been counted, so
 * that a new process begins with the limits as the others know them.
 */
export interface CountsHub {
  /** Returns what the new process has to know first. */
  join(member: number, send: (message: CountsMessage) => void): CountsMessage;
  receive(member: number, message: CountsMessage): void;
  /** Removes the levels of a process that has ended. Its additions still count. */
  leave(member: number): void;
}

/** Like the limits themselves, this forgets the oldest keys if there are too many. */
const keysMax = 20_000;

/** The time at which each count will have decayed, by name and key. */
type Decayed = Map<string, Map<string, { atMs: number; leftMaxMs: number }>>;

export function makeCountsHub(nowMs: () => number = machineMs): CountsHub {
  const members = new Map<number, { levels: Map<string, number>; report: ReturnType<typeof makeCountsReport> }>();
  const decayed: Decayed = new Map();

  function othersLevel(name: string, member: number): number {
    return [...members].reduce((sum, [other, { levels }]) => sum + (other === member ? 0 : (levels.get(name) ?? 0)), 0);
  }

  function reportLevels(names: Iterable<string>, except: number): void {
    for (const name of names)
      for (const [member, { report }] of members) if (member !== except) report.level(name, othersLevel(name, member));
  }

  return {
    join(member, send) {
      const names = new Set([...members.values()].flatMap(({ levels }) => [...levels.keys()]));
      members.set(member, { levels: new Map(), report: makeCountsReport(send) });
      const now = nowMs();
      return {
        levels: [...names].map((name) => [name, othersLevel(name, member)]),
        additions: [...decayed].flatMap(([name, byKey]) =>
          [...byKey]
            .filter(([, { atMs }]) => atMs > now)
            .map(([key, { atMs, leftMaxMs }]): Addition => [name, key, atMs - now, leftMaxMs]),
        ),
        atMs: now,
      };
    },
    receive(member, message) {
      const sender = members.get(member);
      if (!sender) return;
      for (const [name, value] of message.levels) sender.levels.set(name, value);
      reportLevels(
        message.levels.map(([name]) => name),
        member,
      );
      for (const addition of message.additions) {
        keep(decayed, addition, { addedAtMs: message.atMs, now: nowMs() });
        for (const [other, { report }] of members) if (other !== member) report.addition(...addition, message.atMs);
      }
    },
    leave(member) {
      const left = members.get(member);
      if (!left) return;
      left.report.close();
      members.delete(member);
      reportLevels(left.levels.keys(), member);
    },
  };
}

function keep(
  decayed: Decayed,
  [name, key, milliseconds, leftMaxMs]: Addition,
  { addedAtMs, now }: { addedAtMs: number; now: number },
): void {
  const byKey = decayed.get(name) ?? new Map<string, { atMs: number; leftMaxMs: number }>();
  decayed.set(name, byKey);
  const atMs = Math.min(Math.max(byKey.get(key)?.atMs ?? 0, addedAtMs) + milliseconds, now + leftMaxMs);
  // Deleted first, so that the oldest keys are the ones that were not counted for longest.
  byKey.delete(key);
  if (atMs > now) byKey.set(key, { atMs, leftMaxMs });
  if (byKey.size > keysMax) byKey.delete(byKey.keys().next().value!);
}
