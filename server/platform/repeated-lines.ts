import { makeSampler } from './limits/sampler.ts';

/** Keeps an outage from filling the log: similar warnings are counted instead of written. */
export interface RepeatLimiter {
  /** A hook of pino: decides about each line. */
  logMethod(this: unknown, args: unknown[], method: LogMethod, level: number): void;
  /** Writes one line per cause for those that were only counted. */
  sumUp(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: the types of pino depend on its levels.
type LogMethod = (this: any, ...args: any[]) => void;

/** A line whose repetitions are counted until it is written with their number. */
interface CountedLine {
  write(suppressed: number): void;
}

/** A few lines show what happens; three more per minute show that it goes on. */
const rules = { burst: 5, perSecond: 3 / 60, perDay: 100_000 };
/** Errors may have any number of texts. */
const causesMax = 500;
const causeLengthMax = 200;
const warnLevel = 40;
const fatalLevel = 60;

export function makeRepeatLimiter(nowMs?: () => number): RepeatLimiter {
  const sampler = makeSampler<CountedLine>(rules, nowMs);
  const causes = new Set<string>();

  function bounded(cause: string): string {
    if (!causes.has(cause) && causes.size >= causesMax) return 'other causes';
    causes.add(cause);
    return cause;
  }

  return {
    logMethod(args, method, level) {
      const isLimited = level >= warnLevel && level < fatalLevel;
      const write = (suppressed: number) => method.apply(this, suppressed > 0 ? withCount(args, suppressed) : args);
      if (!isLimited || sampler.admits(bounded(causeOf(args)), { write })) write(0);
    },
    sumUp() {
      for (const { item, count } of sampler.takeSuppressed()) item.write(count - 1);
      causes.clear();
    },
  };
}

/** Lines are similar if they have the same text, and the same error, contract, status and job. */
function causeOf([first, text]: unknown[]): string {
  if (typeof first !== 'object' || first === null) return String(first);
  const { error, contract, status, job } = first as Record<string, unknown>;
  return [text, error, contract, status, job].join(' ').slice(0, causeLengthMax);
}

function withCount([first, ...others]: unknown[], suppressed: number): unknown[] {
  return typeof first === 'object' && first !== null
    ? [{ ...first, suppressed }, ...others]
    : [{ suppressed }, first, ...others];
}
