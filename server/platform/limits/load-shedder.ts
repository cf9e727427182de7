import { BoundedQueue } from './bounded-queue.ts';
import { type SharedCounts, unshared } from './shared-counts.ts';

/** Limits the number of requests in progress, so that these are served in time however many others arrive. */
export interface LoadShedder {
  /**
   * null: admitted at once. Otherwise resolves to null on admission, or to the reason if there was no capacity in time.
   */
  waitForAdmission(): Promise<string | null> | null;
  /** Whether the next request would have to wait. */
  isFull(): boolean;
  enter(): void;
  leave(): void;
  inFlight(): number;
  waiting(): number;
  close(): void;
}

interface Waiter {
  sinceMs: number;
  /** Takes the reason of a rejection, or null for an admission. */
  resolve(reason: string | null): void;
}

/** Together with the work itself this stays within the 5 s in which the contract promises a response. */
const waitAtMostMs = 1200;
const waitingMax = 10_000;
const checkEveryMs = 100;

/**
 * Requests wait before their body is read, first come, first served. A rejection comes after the wait on purpose: if we
 * rejected at once, a crowd that retries at once would use up the CPU time of the admitted requests.
 *
 * The processes of a node share the limit. A process claims places while its requests wait and it has less than its
 * equal part. Beyond its own equal part, a process takes only places that the others do not claim: otherwise one that is
 * full would hand its places on to its own requests forever.
 */
export function makeLoadShedder(inFlightMax: number, counts: SharedCounts = unshared): LoadShedder {
  const inFlightOfNode = counts.level('requests in flight', admitWaiting);
  const claimsOfNode = counts.level('places claimed');
  const waiters = new BoundedQueue<Waiter>(waitingMax, updateClaim);
  const equalPart = Math.max(1, Math.floor(inFlightMax / counts.processes));
  let inFlight = 0;
  let claimed = 0;
  // An admitted request may send its body slowly and enter late, so capacity is also free when no request leaves.
  const timer = setInterval(() => {
    rejectLate();
    admitWaiting();
  }, checkEveryMs);
  timer.unref();

  function freePlaces(): number {
    const free = inFlightMax - inFlight - inFlightOfNode.others();
    return Math.max(Math.min(free, equalPart - inFlight), free - claimsOfNode.others());
  }

  function updateClaim(): void {
    const claim = Math.max(0, Math.min(waiters.size, equalPart - inFlight));
    if (claim === claimed) return;
    claimed = claim;
    claimsOfNode.set(claim);
  }

  function setInFlight(requests: number): void {
    inFlight = requests;
    inFlightOfNode.set(requests);
    updateClaim();
  }

  function admitWaiting(): void {
    for (let free = freePlaces(); free > 0 && waiters.size > 0; free--) admitNext();
  }

  function rejectLate(): void {
    const lateMs = performance.now() - waitAtMostMs;
    for (const waiter of waiters) {
      if (waiter.sinceMs > lateMs) return;
      waiters.remove(waiter);
      waiter.resolve(`${inFlight + inFlightOfNode.others()} requests are in work, and ${waiters.size} wait`);
    }
  }

  function admitNext(): void {
    waiters.takeFirst()?.resolve(null);
  }

  const isFull = () => freePlaces() <= 0 || waiters.size > 0;

  return {
    isFull,
    waitForAdmission() {
      if (!isFull()) return null;
      if (waiters.isFull) return Promise.resolve(`${waiters.size} requests wait already`);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      waiters.add({ sinceMs: performance.now(), resolve });
      return promise;
    },
    enter: () => setInFlight(inFlight + 1),
    leave() {
      setInFlight(inFlight - 1);
      if (freePlaces() > 0) admitNext();
    },
    inFlight: () => inFlight,
    waiting: () => waiters.size,
    close() {
      clearInterval(timer);
      for (let waiter = waiters.takeFirst(); waiter; waiter = waiters.takeFirst())
        waiter.resolve('the service is stopping');
    },
  };
}
