import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const sampleMs = 150;
/** The maximum share of the machine used by other processes; above it, the measurements are unreliable. */
const disturbingShare = 0.12;

export interface Measured<Result> {
  result: Result;
  /** The share of the machine used by other processes in the meantime; NaN if unknown (only Linux reports it). */
  others: number;
}

export interface Watch {
  observe<Result>(work: () => Promise<Result>): Promise<Measured<Result>>;
  /**
   * Waits until the machine is idle, and repeats a measurement if other processes interfered, within the time limit of
   * the run.
   */
  undisturbed<Result>(work: () => Promise<Result>): Promise<Measured<Result>>;
}

/** Our processes are this one and all its descendants. */
export function watchOthers(patienceSeconds: number): Watch {
  let patienceMs = patienceSeconds * 1000;

  async function observe<Result>(work: () => Promise<Result>): Promise<Measured<Result> & { tookMs: number }> {
    const startedAt = performance.now();
    const before = cpuTimes();
    const result = await work();
    const after = cpuTimes();
    const others = (after.busy - before.busy - (after.ours - before.ours)) / Math.max(1, after.all - before.all);
    return { result, others: Math.max(0, others), tookMs: performance.now() - startedAt };
  }

  return {
    observe,
    async undisturbed(work) {
      for (;;) {
        const pause = await observe(() => sleep(patienceMs > 0 ? sampleMs : 0));
        if (pause.others > disturbingShare && patienceMs > 0) {
          patienceMs -= pause.tookMs;
          continue;
        }
        const measured = await observe(work);
        if (!(measured.others > disturbingShare) || patienceMs <= 0) return measured;
        patienceMs -= measured.tookMs;
      }
    },
  };
}

/** CPU times in ticks since the machine was started. */
interface CpuTimes {
  all: number;
  busy: number;
  ours: number;
}

function cpuTimes(): CpuTimes {
  try {
    const [user, nice, system, idle, wait, , , steal] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]!
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const busy = user! + nice! + system! + steal!;
    return { all: busy + idle! + wait!, busy, ours: ticksOfFamily(process.pid) };
  } catch {
    return { all: Number.NaN, busy: Number.NaN, ours: Number.NaN };
  }
}

/** The CPU time of a process and all its descendants, except those of `without`. */
export function ticksOfFamily(ancestor: number, without: number | null = null): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
  const children = Map.groupBy(processes, ({ parent }) => parent);
  let ticks = 0;
  const family = processes.filter(({ pid }) => pid === ancestor);
  for (const member of family) {
    ticks += member.ticks;
    family.push(...(children.get(member.pid) ?? []).filter(({ pid }) => pid !== without));
  }
  return ticks;
}

/** Returns nothing for a process that has just ended; its ticks are added to its parent. */
function readProcess(pid: number): { pid: number; parent: number; ticks: number }[] {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return [];
  }
  // The fields follow the name, which may contain any character: state, parent, and later the user and system times of
  // the process and its ended children.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return [{ pid, parent: Number(fields[1]), ticks }];
}
