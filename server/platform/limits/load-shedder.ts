import { BoundedQueue } from './bounded-queue.ts';
import { type Level, type SharedCounts, unshared } from './shared-counts.ts';

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
 */
export function makeLoadShedder(inFlightMax: number, counts: SharedCounts = unshared): LoadShedder {
  const places = new Places(inFlightMax, counts, admitWaiting);
  const waiters = new BoundedQueue<Waiter>(waitingMax, () => places.setWaiting(waiters.size));
  // An admitted request may send its body slowly and enter late, so capacity is also free when no request leaves.
  const timer = setInterval(() => {
    rejectLate();
    admitWaiting();
  }, checkEveryMs);
  timer.unref();

  function admitWaiting(): void {
    for (let free = places.free(); free > 0 && waiters.size > 0; free--) admitNext();
  }

  function rejectLate(): void {
    const lateMs = performance.now() - waitAtMostMs;
    for (const waiter of waiters) {
      if (waiter.sinceMs > lateMs) return;
      waiters.remove(waiter);
      waiter.resolve(`${places.inFlightOfNode()} requests are in work, and ${waiters.size} wait`);
    }
  }

  function admitNext(): void {
    waiters.takeFirst()?.resolve(null);
  }

  const isFull = () => places.free() <= 0 || waiters.size > 0;

  return {
    isFull,
    waitForAdmission() {
      if (!isFull()) return null;
      if (waiters.isFull) return Promise.resolve(`${waiters.size} requests wait already`);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      waiters.add({ sinceMs: performance.now(), resolve });
      return promise;
    },
    enter: () => places.setInFlight(places.inFlight + 1),
    leave() {
      places.setInFlight(places.inFlight - 1);
      if (places.free() > 0) admitNext();
    },
    inFlight: () => places.inFlight,
    waiting: () => waiters.size,
    close() {
      clearInterval(timer);
      for (let waiter = waiters.takeFirst(); waiter; waiter = waiters.takeFirst())
        waiter.resolve('the service is stopping');
    },
  };
}

/**
 * The places for requests in progress, which the processes of a node share. A process claims places while its requests
 * wait and it has less than its equal part. Beyond its own equal part, a process takes only places that the others do not
 * claim: otherwise one that is full would hand its places on to its own requests forever.
 */
class Places {
  inFlight: number;
  private readonly max: number;
  private readonly equalPart: number;
  private readonly ofNode: Level;
  private readonly claims: Level;
  private waiting: number;
  private claimed: number;

  constructor(max: number, counts: SharedCounts, onChange: () => void) {
    this.inFlight = 0;
    this.max = max;
    this.equalPart = Math.max(1, Math.floor(max / counts.processes));
    this.ofNode = counts.level('requests in flight', onChange);
    this.claims = counts.level('places claimed');
    this.waiting = 0;
    this.claimed = 0;
  }

  free(): number {
    const free = this.max - this.inFlightOfNode();
    return Math.max(Math.min(free, this.equalPart - this.inFlight), free - this.claims.others());
  }

  inFlightOfNode(): number {
    return this.inFlight + this.ofNode.others();
  }

  setInFlight(requests: number): void {
    this.inFlight = requests;
    this.ofNode.set(requests);
    this.updateClaim();
  }

  setWaiting(requests: number): void {
    this.waiting = requests;
    this.updateClaim();
  }

  private updateClaim(): void {
    const claim = Math.max(0, Math.min(this.waiting, this.equalPart - this.inFlight));
    if (claim === this.claimed) return;
    this.claimed = claim;
    this.claims.set(claim);
  }
}
