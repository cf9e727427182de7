import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { ClientDirectory } from '../../domain/partners/client-directory.ts';
import { describeError, type Log } from '../../platform/log.ts';
import type { DiagnosedCall } from '../../platform/request-log.ts';
import { type Diagnosis, diagnoseSignature, type RefusedRequest } from './diagnose-signature.ts';

export interface Diagnoser {
  /**
   * Keeps what is needed, where there is room for it. The diagnosis begins when the function is called that comes back, which is after the
   * answer: nothing of it can be told from how long that took.
   */
  take(refused: { headers: IncomingHttpHeaders; url: string; body: Buffer; refusedAt: Date }): () => Promise<DiagnosedCall>;
  /** What has not begun by now is not diagnosed any more: a stop does not wait for it. */
  close(): void;
}

/** What is kept at any moment: 16 bodies of at most 32 KiB, half a megabyte. */
const waitingMax = 16;
const keptBodyMaxBytes = 32_768;
/** So that one who repeats a mistake without end leaves room for others. */
const waitingPerAccountMax = 8;
/** How long a line of the request log waits for what was found, and how much of that time may be work. */
export interface DiagnosisTimes {
  waitMaxMs: number;
  workMaxMs: number;
}
const usualTimes: DiagnosisTimes = { waitMaxMs: 2000, workMaxMs: 150 };
/** In small portions, each followed by a rest. */
const portionMaxMs = 2;
/** Of the time of the process: a tenth in the long run, and half of it while there is credit, which grows back in 3 s. */
const shareOfTime = 0.1;
const creditMaxMs = 300;

const notDiagnosed = {
  busy: nothingProven('Not diagnosed: too many requests were refused at that moment; have the call sent again.'),
  stopping: nothingProven('Not diagnosed: the service was stopping.'),
  failed: nothingProven('Not diagnosed: the diagnosis failed. The log tells more.'),
};

function nothingProven(diagnosis: string): DiagnosedCall {
  return { diagnosis, provenAccountNo: null };
}

interface Waiting {
  request: RefusedRequest;
  claimedBy: string;
  endsAtMs: number;
  finish(diagnosed: DiagnosedCall): void;
}

/** Looks for the mistakes in refused requests one after the other, in what is left of the time. */
export function makeDiagnoser(parts: {
  accounts: AccountDirectory;
  clients: ClientDirectory;
  log: Log;
  times?: Partial<DiagnosisTimes>;
}): Diagnoser {
  const { accounts, clients, log } = parts;
  const { waitMaxMs, workMaxMs } = { ...usualTimes, ...parts.times };
  const taken = new Map<string, number>();
  const lines = makeLines();
  const restMsAfter = makeWorkCredit();
  let takenCount = 0;
  let restUntilMs = 0;
  let isWorking = false;
  let closed = false;

  function isRoomFor(claimedBy: string): boolean {
    return takenCount < waitingMax && (taken.get(claimedBy) ?? 0) < waitingPerAccountMax;
  }

  function count(claimedBy: string, change: 1 | -1): void {
    const ofAccount = (taken.get(claimedBy) ?? 0) + change;
    if (ofAccount === 0) taken.delete(claimedBy);
    else taken.set(claimedBy, ofAccount);
    takenCount += change;
  }

  function begin(request: RefusedRequest, claimedBy: string): Promise<DiagnosedCall> {
    const { promise, resolve } = Promise.withResolvers<DiagnosedCall>();
    const timer = setTimeout(() => lines.leave(one) && one.finish(notDiagnosed.busy), waitMaxMs);
    const one: Waiting = {
      request,
      claimedBy,
      endsAtMs: performance.now() + waitMaxMs,
      finish(diagnosed) {
        clearTimeout(timer);
        count(claimedBy, -1);
        resolve(diagnosed);
      },
    };
    if (closed) one.finish(notDiagnosed.stopping);
    else lines.enter(one);
    void work();
    return promise;
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let next = lines.next(); next; next = lines.next()) next.finish(await diagnose(next));
    isWorking = false;
  }

  async function diagnose(one: Waiting): Promise<DiagnosedCall> {
    if (performance.now() >= one.endsAtMs) return notDiagnosed.busy;
    try {
      const { lines, provenBy } = await findMistakes(one);
      return { diagnosis: lines.join('\n'), provenAccountNo: provenBy };
    } catch (error) {
      log.warn(describeError(error), 'a refused request could not be diagnosed');
      return notDiagnosed.failed;
    }
  }

  async function findMistakes({ request, endsAtMs }: Waiting): Promise<Diagnosis> {
    const accountNo = String(request.headers['account-no'] ?? '');
    const isUnknown = !accounts.known().has(accountNo);
    // Whoever lacks a header was refused without a look: the account may be there by now.
    const account = isUnknown ? await accounts.findNow(accountNo).catch(() => null) : null;
    const client = isUnknown && account === null ? await clients.findNow(accountNo).catch(() => null) : null;
    const partners = { accounts: accounts.known(), clientsAccount: client?.account ?? null };
    return await inPortions(diagnoseSignature(request, partners), endsAtMs);
  }

  /** To its end, each portion after a rest, so that whoever was answered in this turn comes first; when time is up, it ends with what it has found. */
  async function inPortions<Result>(steps: Generator<unknown, Result, boolean>, endsAtMs: number): Promise<Result> {
    for (let workedMs = 0; ; ) {
      await sleep(closed ? 0 : Math.max(0, restUntilMs - performance.now()));
      const { step, portionMs } = runPortion(steps, workedMs < workMaxMs && performance.now() < endsAtMs);
      workedMs += portionMs;
      restUntilMs = performance.now() + restMsAfter(portionMs);
      if (step.done) return step.value;
    }
  }

  return {
    take({ headers, url, body, refusedAt }) {
      const claimedBy = accountOf(headers, accounts);
      if (!isRoomFor(claimedBy)) return async () => notDiagnosed.busy;
      count(claimedBy, 1);
      const bodyBytes = body.length;
      const request = { headers, url, body: bodyBytes <= keptBodyMaxBytes ? body : null, bodyBytes, refusedAt };
      return () => begin(request, claimedBy);
    },
    close() {
      closed = true;
      for (let next = lines.next(); next; next = lines.next()) next.finish(notDiagnosed.stopping);
    },
  };
}

/** Those who are not registered share one line. */
function accountOf(headers: IncomingHttpHeaders, accounts: AccountDirectory): string {
  const accountNo = String(headers['account-no'] ?? '');
  return accounts.known().has(accountNo) ? accountNo : '';
}

/** Each account has a line, and the lines take turns: who fills one of them holds up nobody else. */
function makeLines() {
  /** The line whose turn it is stands first. */
  const lines = new Map<string, Waiting[]>();

  return {
    /** Small bodies come first: most calls that somebody tries out are small, and take the least time. */
    enter(one: Waiting): void {
      const line = [...(lines.get(one.claimedBy) ?? []), one];
      lines.set(
        one.claimedBy,
        line.sort((a, b) => a.request.bodyBytes - b.request.bodyBytes),
      );
    },
    /** false for one whose turn has come. */
    leave(one: Waiting): boolean {
      const line = lines.get(one.claimedBy) ?? [];
      if (!line.includes(one)) return false;
      line.splice(line.indexOf(one), 1);
      if (line.length === 0) lines.delete(one.claimedBy);
      return true;
    },
    next(): Waiting | null {
      const [first] = lines;
      if (!first) return null;
      const [claimedBy, [one, ...others]] = first;
      lines.delete(claimedBy);
      if (others.length > 0) lines.set(claimedBy, others);
      return one!;
    },
  };
}

/** Tells how long to rest after so much work. */
function makeWorkCredit(): (workedMs: number) => number {
  let creditMs = creditMaxMs;
  let countedAtMs = performance.now();
  return (workedMs) => {
    const nowMs = performance.now();
    creditMs = Math.min(creditMaxMs, creditMs + (nowMs - countedAtMs) * shareOfTime) - workedMs;
    countedAtMs = nowMs;
    return Math.max(workedMs, -creditMs / shareOfTime);
  };
}

function runPortion<Result>(steps: Generator<unknown, Result, boolean>, isTimeLeft: boolean) {
  const startedMs = performance.now();
  let step = steps.next(isTimeLeft);
  while (!step.done && performance.now() < startedMs + portionMaxMs) step = steps.next(isTimeLeft);
  return { step, portionMs: performance.now() - startedMs };
}
