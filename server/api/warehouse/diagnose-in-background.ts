import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { ClientDirectory } from '../../domain/partners/client-directory.ts';
import { describeError, type Log } from '../../platform/log.ts';
import { diagnoseSignature, type RefusedRequest } from './diagnose-signature.ts';

export interface Diagnoser {
  /**
   * Keeps what is needed, where there is room for it. The diagnosis begins when the function is called that comes back, which is after the
   * answer: nothing of it can be told from how long that took.
   */
  take(refused: { headers: IncomingHttpHeaders; url: string; body: Buffer; refusedAt: Date }): () => Promise<string>;
  /** What has not begun by now is not diagnosed any more: a stop does not wait for it. */
  close(): void;
}

/** What is kept at any moment: 16 bodies of at most 64 KiB, a megabyte. */
const waitingMax = 16;
const keptBodyMaxBytes = 65_536;
/** So that one who repeats a mistake without end leaves room for others. */
const waitingPerAccountMax = 8;
/** At most 50 diagnoses a second. */
const restAfterEachMs = 20;
/** In small portions, with a rest after each that is so many times as long: of the time of the process a quarter, in a flood a tenth. */
const portionMaxMs = 2;
const restsAlone = 3;
const restsInFlood = 9;
const workMaxMs = 500;

const notDiagnosed = {
  busy: 'Not diagnosed: too many requests were refused at that moment. Send it again, and ask again.',
  stopping: 'Not diagnosed: the service was stopping.',
  failed: 'Not diagnosed: the diagnosis failed. The log tells more.',
};

/** Looks for the mistakes in refused requests one after the other, in what is left of the time. */
export function makeDiagnoser({ accounts, clients, log }: { accounts: AccountDirectory; clients: ClientDirectory; log: Log }): Diagnoser {
  const waiting = new Map<string, number>();
  let waitingCount = 0;
  let previous: Promise<unknown> = Promise.resolve();
  let closed = false;

  function isRoomFor(claimedBy: string): boolean {
    return waitingCount < waitingMax && (waiting.get(claimedBy) ?? 0) < waitingPerAccountMax;
  }

  function count(claimedBy: string, change: 1 | -1): void {
    const ofAccount = (waiting.get(claimedBy) ?? 0) + change;
    if (ofAccount === 0) waiting.delete(claimedBy);
    else waiting.set(claimedBy, ofAccount);
    waitingCount += change;
  }

  async function diagnose(request: RefusedRequest): Promise<string> {
    try {
      return closed ? notDiagnosed.stopping : (await findMistakes(request)).join('\n');
    } catch (error) {
      log.warn(describeError(error), 'a refused request could not be diagnosed');
      return notDiagnosed.failed;
    }
  }

  async function findMistakes(request: RefusedRequest): Promise<string[]> {
    const accountNo = String(request.headers['account-no'] ?? '');
    const client = accounts.known().has(accountNo) ? null : await clients.find(accountNo).catch(() => null);
    const partners = { accounts: accounts.known(), clientsAccount: client?.account ?? null };
    // In a turn of its own: whoever was answered in this one comes first.
    await sleep(0);
    return await inPortions(diagnoseSignature(request, partners), restsPerPortion);
  }

  function restsPerPortion(): number {
    if (closed) return 0;
    return waitingCount > 1 ? restsInFlood : restsAlone;
  }

  function begin(request: RefusedRequest, leave: () => void): () => Promise<string> {
    return () => {
      const own = previous.then(() => diagnose(request)).finally(leave);
      previous = own.then(() => sleep(closed ? 0 : restAfterEachMs));
      return own;
    };
  }

  return {
    take({ headers, url, body, refusedAt }) {
      const claimedBy = accountOf(headers, accounts);
      if (!isRoomFor(claimedBy)) return async () => notDiagnosed.busy;
      count(claimedBy, 1);
      const bodyBytes = body.length;
      return begin({ headers, url, body: bodyBytes <= keptBodyMaxBytes ? body : null, bodyBytes, refusedAt }, () => count(claimedBy, -1));
    },
    close() {
      closed = true;
    },
  };
}

/** Those who are not registered share one line. */
function accountOf(headers: IncomingHttpHeaders, accounts: AccountDirectory): string {
  const accountNo = String(headers['account-no'] ?? '');
  return accounts.known().has(accountNo) ? accountNo : '';
}

/** Runs to its end with rests in between; told that time is up, it ends with what it has found. */
async function inPortions<Result>(steps: Generator<void, Result, boolean>, restsPerPortion: () => number): Promise<Result> {
  let workedMs = 0;
  for (;;) {
    const startedMs = performance.now();
    const untilMs = startedMs + portionMaxMs;
    let step = steps.next(workedMs < workMaxMs);
    while (!step.done && performance.now() < untilMs) step = steps.next(workedMs < workMaxMs);
    if (step.done) return step.value;
    const portionMs = performance.now() - startedMs;
    workedMs += portionMs;
    await sleep(portionMs * restsPerPortion());
  }
}
