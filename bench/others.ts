import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const sampleMs = 150;
/** Of the whole machine: where others take more, the figures are theirs as much as ours. */
const disturbingShare = 0.12;

export interface Measured<Result> {
  result: Result;
  /** The share of the machine that others took meanwhile; NaN where the system does not tell (it is Linux that does). */
  others: number;
}

export interface Watch {
  /** Waits until others leave the machine alone, and measures again where they came back meanwhile, as long as the patience of the run lasts. */
  undisturbed<Result>(work: () => Promise<Result>): Promise<Measured<Result>>;
}

/** `ours` are processes of the run, `families` those whose children are ours too. */
export function watchOthers(ours: number[], families: number[], patienceSeconds: number): Watch {
  let patienceMs = patienceSeconds * 1000;

  async function observe<Result>(work: () => Promise<Result>): Promise<Measured<Result> & { tookMs: number }> {
    const startedAt = performance.now();
    const before = cpuTimes(ours, families);
    const result = await work();
    const after = cpuTimes(ours, families);
    const others = (after.busy - before.busy - (after.ours - before.ours)) / Math.max(1, after.all - before.all);
    return { result, others: Math.max(0, others), tookMs: performance.now() - startedAt };
  }

  return {
    async undisturbed(work) {
      for (;;) {
        const pause = await observe(() => sleep(sampleMs));
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

/** In ticks, since the machine was started. */
interface CpuTimes {
  all: number;
  busy: number;
  ours: number;
}

function cpuTimes(ours: number[], families: number[]): CpuTimes {
  try {
    const [user, nice, system, idle, wait, , , steal] = readFileSync('/proc/stat', 'utf8')
      .split('\n', 1)[0]!
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const busy = user! + nice! + system! + steal!;
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return { all: busy + idle! + wait!, busy, ours: processes.reduce((sum, pid) => sum + ticksOf(Number(pid), ours, families), 0) };
  } catch {
    return { all: Number.NaN, busy: Number.NaN, ours: Number.NaN };
  }
}

/** 0 for a process that is not ours, or has just ended. */
function ticksOf(pid: number, ours: number[], families: number[]): number {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // Behind the name, which may hold anything: state, parent, and further on user and system time, its own and that of ended children.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  if (families.includes(pid)) return user! + system! + endedUser! + endedSystem!;
  return ours.includes(pid) || families.includes(Number(fields[1])) ? user! + system! : 0;
}
