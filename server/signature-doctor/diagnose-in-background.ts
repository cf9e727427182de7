import { setTimeout as sleep } from 'node:timers/promises';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import { storeMessage } from '../../messages/message.ts';
import type { AccountDirectory } from '../domain/partners/account-directory.ts';
import type { ClientDirectory } from '../domain/partners/client-directory.ts';
import type { DiagnosedRequest } from '../domain/requests/request-log-line.ts';
import { describeError, type Log } from '../platform/log.ts';
import { type Diagnosis, diagnoseSignature, type RefusedRequest } from './diagnose-signature.ts';

type TakenRequest = Omit<RefusedRequest, 'bodyBytes'> & { body: Buffer };

export interface Diagnoser {
  /**
   * Keeps the request, if there is room for it. The returned function starts the diagnosis; it is called after the
   * response was sent, so that response times reveal nothing.
   */
  take(refused: TakenRequest): () => Promise<DiagnosedRequest>;
  /** Requests whose diagnosis has not started are not diagnosed any more. */
  close(): void;
}

/** At most 16 bodies of 32 KiB are kept: half a megabyte. */
const waitingMax = 16;
const keptBodyMaxBytes = 32_768;
/** Leaves room for others when one account repeats a mistake endlessly. */
const waitingPerAccountMax = 8;
/** How long a line of the request log waits for its diagnosis, and how much of that time may be spent on it. */
export interface DiagnosisTimes {
  waitMaxMs: number;
  workMaxMs: number;
}
const usualTimes: DiagnosisTimes = { waitMaxMs: 2000, workMaxMs: 150 };
const portionMaxMs = 2;
/** At most a tenth of the processor time in the long run. Unused time is saved up to 300 ms for a burst. */
const shareOfTime = 0.1;
const creditMaxMs = 300;

const notDiagnosed = {
  busy: asCall({ findings: [diagnosis('not_diagnosed_busy')], provenBy: null }),
  stopping: asCall({ findings: [diagnosis('not_diagnosed_stopping')], provenBy: null }),
  failed: asCall({ findings: [diagnosis('not_diagnosed_failed')], provenBy: null }),
};

/** One message per line. */
function asCall({ findings, provenBy }: Diagnosis): DiagnosedRequest {
  return { diagnosis: findings.map(storeMessage).join('\n'), provenAccountNo: provenBy };
}

interface Waiting {
  request: RefusedRequest;
  claimedBy: string;
  endsAtMs: number;
  finish(diagnosed: DiagnosedRequest): void;
}

interface DiagnoserParts {
  accounts: AccountDirectory;
  clients: ClientDirectory;
  log: Log;
  times?: Partial<DiagnosisTimes>;
}

export function makeDiagnoser(parts: DiagnoserParts): Diagnoser {
  return new BackgroundDiagnoser(parts);
}

/** Diagnoses rejected requests one at a time, in small portions of work between the requests of others. */
class BackgroundDiagnoser implements Diagnoser {
  private readonly parts: DiagnoserParts;
  private readonly times: DiagnosisTimes;
  /** The account that each request claims, from take() until its diagnosis ends. */
  private readonly taken: string[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly restMsAfter = makeWorkCredit();
  private restUntilMs = 0;
  private isWorking = false;
  private isClosed = false;

  constructor(parts: DiagnoserParts) {
    this.parts = parts;
    this.times = { ...usualTimes, ...parts.times };
  }

  take({ body, ...refused }: TakenRequest): () => Promise<DiagnosedRequest> {
    const { taken } = this;
    const accountNo = String(refused.headers['account-no'] ?? '');
    // All callers without a registered account count as one.
    const claimedBy = this.parts.accounts.known().has(accountNo) ? accountNo : '';
    const ofAccount = taken.filter((one) => one === claimedBy).length;
    if (taken.length >= waitingMax || ofAccount >= waitingPerAccountMax) return async () => notDiagnosed.busy;
    taken.push(claimedBy);
    const request = { ...refused, body: body.length <= keptBodyMaxBytes ? body : null, bodyBytes: body.length };
    return () => this.begin(request, claimedBy);
  }

  close(): void {
    this.isClosed = true;
    for (const one of this.waiting.splice(0)) one.finish(notDiagnosed.stopping);
  }

  private begin(request: RefusedRequest, claimedBy: string): Promise<DiagnosedRequest> {
    const { waitMaxMs } = this.times;
    const { promise, resolve } = Promise.withResolvers<DiagnosedRequest>();
    const timer = setTimeout(() => removeFrom(this.waiting, one) && one.finish(notDiagnosed.busy), waitMaxMs);
    const one: Waiting = {
      request,
      claimedBy,
      endsAtMs: performance.now() + waitMaxMs,
      finish: (diagnosed) => {
        clearTimeout(timer);
        removeFrom(this.taken, claimedBy);
        resolve(diagnosed);
      },
    };
    if (this.isClosed) one.finish(notDiagnosed.stopping);
    else this.waiting.push(one);
    void this.work();
    return promise;
  }

  /** Accounts take turns, so that many requests of one do not delay the others. */
  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    let last: string | null = null;
    while (this.waiting.length > 0) {
      const next: Waiting = this.waiting.find(({ claimedBy }) => claimedBy !== last) ?? this.waiting[0]!;
      removeFrom(this.waiting, next);
      last = next.claimedBy;
      next.finish(await this.diagnose(next));
    }
    this.isWorking = false;
  }

  private async diagnose({ request, endsAtMs }: Waiting): Promise<DiagnosedRequest> {
    const { accounts, clients, log } = this.parts;
    if (performance.now() >= endsAtMs) return notDiagnosed.busy;
    try {
      const accountNo = String(request.headers['account-no'] ?? '');
      const isUnknown = !accounts.known().has(accountNo);
      // A request without all headers was rejected before its account was looked up.
      const account = isUnknown ? await accounts.findNow(accountNo).catch(() => null) : null;
      const client = isUnknown && account === null ? await clients.findNow(accountNo).catch(() => null) : null;
      const partners = { accounts: accounts.known(), clientsAccount: client?.account ?? null };
      return asCall(await this.inPortions(diagnoseSignature(request, partners), endsAtMs));
    } catch (error) {
      log.warn(describeError(error), 'a refused request could not be diagnosed');
      return notDiagnosed.failed;
    }
  }

  /** Rests between portions. When time is up, the diagnosis ends with the findings so far. */
  private async inPortions(steps: ReturnType<typeof diagnoseSignature>, endsAtMs: number): Promise<Diagnosis> {
    for (let workedMs = 0; ; ) {
      await sleep(this.isClosed ? 0 : Math.max(0, this.restUntilMs - performance.now()));
      const startedMs = performance.now();
      const isTimeLeft = workedMs < this.times.workMaxMs && startedMs < endsAtMs;
      let step = steps.next(isTimeLeft);
      while (!step.done && performance.now() < startedMs + portionMaxMs) step = steps.next(isTimeLeft);
      const portionMs = performance.now() - startedMs;
      workedMs += portionMs;
      this.restUntilMs = performance.now() + this.restMsAfter(portionMs);
      if (step.done) return step.value;
    }
  }
}

function removeFrom<Item>(list: Item[], item: Item): boolean {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

/** Returns how long to rest after so much work. */
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
