import { setTimeout as sleep } from 'node:timers/promises';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import { storeMessage } from '../../messages/message.ts';
import type { AccountDirectory, KnownAccount } from '../domain/partners/account-directory.ts';
import type { ClientDirectory } from '../domain/partners/client-directory.ts';
import type { DiagnosedRequest } from '../domain/requests/request-log-line.ts';
import { describeError, type Log } from '../platform/log.ts';
import { type Diagnosis, diagnoseSignature, type Partners, type RefusedRequest } from './diagnose-signature.ts';

type TakenRequest = Omit<RefusedRequest, 'bodyBytes'> & { body: Buffer };

export interface Diagnoser {
  /**
   * Keeps the request, if there is room for it. The returned function starts the diagnosis; it is called after the
   * response was sent, so that response times reveal nothing.
   */
  take(refused: TakenRequest): () => Promise<DiagnosedRequest>;
  /**
   * Diagnoses a request at once, for its sender: it tries the secrets of this account only, so it cannot say anything
   * about another one. null: not diagnosed, because too many requests wait or the service stops.
   */
  diagnoseFor(account: KnownAccount, refused: TakenRequest): Promise<Diagnosis | null>;
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
  busy: { findings: [diagnosis('not_diagnosed_busy')], provenBy: null },
  stopping: { findings: [diagnosis('not_diagnosed_stopping')], provenBy: null },
  failed: { findings: [diagnosis('not_diagnosed_failed')], provenBy: null },
} satisfies Record<string, Diagnosis>;

/** One message per line. */
export function asDiagnosedRequest({ findings, provenBy }: Diagnosis): DiagnosedRequest {
  return { diagnosis: findings.map(storeMessage).join('\n'), provenAccountNo: provenBy };
}

interface Waiting {
  request: RefusedRequest;
  /** The only account whose secrets are tried; null: all of them. */
  only: KnownAccount | null;
  claimedBy: string;
  endsAtMs: number;
  finish(diagnosed: Diagnosis): void;
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

  take(refused: TakenRequest): () => Promise<DiagnosedRequest> {
    const accountNo = String(refused.headers['account-no'] ?? '');
    // All callers without a registered account count as one.
    const claimedBy = this.parts.accounts.known().has(accountNo) ? accountNo : '';
    const start = this.reserve(refused, claimedBy, null);
    return async () => asDiagnosedRequest(start === null ? notDiagnosed.busy : await start());
  }

  async diagnoseFor(account: KnownAccount, refused: TakenRequest): Promise<Diagnosis | null> {
    const found = await this.reserve(refused, account.accountNo, account)?.();
    return found === undefined || Object.values<Diagnosis>(notDiagnosed).includes(found) ? null : found;
  }

  /** null: there is no room for another request. */
  private reserve(
    { body, ...refused }: TakenRequest,
    claimedBy: string,
    only: KnownAccount | null,
  ): (() => Promise<Diagnosis>) | null {
    const { taken } = this;
    const ofAccount = taken.filter((one) => one === claimedBy).length;
    if (taken.length >= waitingMax || ofAccount >= waitingPerAccountMax) return null;
    taken.push(claimedBy);
    const request = { ...refused, body: body.length <= keptBodyMaxBytes ? body : null, bodyBytes: body.length };
    return () => this.begin({ request, claimedBy, only });
  }

  close(): void {
    this.isClosed = true;
    for (const one of this.waiting.splice(0)) one.finish(notDiagnosed.stopping);
  }

  private begin(reserved: Pick<Waiting, 'request' | 'claimedBy' | 'only'>): Promise<Diagnosis> {
    const { waitMaxMs } = this.times;
    const { promise, resolve } = Promise.withResolvers<Diagnosis>();
    const timer = setTimeout(() => removeFrom(this.waiting, one) && one.finish(notDiagnosed.busy), waitMaxMs);
    const one: Waiting = {
      ...reserved,
      endsAtMs: performance.now() + waitMaxMs,
      finish: (diagnosed) => {
        clearTimeout(timer);
        removeFrom(this.taken, reserved.claimedBy);
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

  private async diagnose({ request, only, endsAtMs }: Waiting): Promise<Diagnosis> {
    if (performance.now() >= endsAtMs) return notDiagnosed.busy;
    try {
      const partners =
        only === null
          ? await this.partnersFor(request)
          : { accounts: new Map([[only.accountNo, only]]), clientsAccount: null };
      return await this.inPortions(diagnoseSignature(request, partners), endsAtMs);
    } catch (error) {
      this.parts.log.warn(describeError(error), 'a refused request could not be diagnosed');
      return notDiagnosed.failed;
    }
  }

  private async partnersFor({ headers }: RefusedRequest): Promise<Partners> {
    const { accounts, clients } = this.parts;
    const accountNo = String(headers['account-no'] ?? '');
    const isUnknown = !accounts.known().has(accountNo);
    // A request without all headers was rejected before its account was looked up.
    const account = isUnknown ? await accounts.findNow(accountNo).catch(() => null) : null;
    const client = isUnknown && account === null ? await clients.findNow(accountNo).catch(() => null) : null;
    return { accounts: accounts.known(), clientsAccount: client?.account ?? null };
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
