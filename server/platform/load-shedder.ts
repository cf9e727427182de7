/** Keeps the number of requests in work bounded, so that those inside are served in time however many want in. */
export interface LoadShedder {
  /** Resolves when there is room, at once or in turn; with the reason, if there was none in time. */
  waitAtTheDoor(): Promise<string | null> | null;
  /** Whoever comes now has to wait at the door. */
  isFull(): boolean;
  enter(): void;
  leave(): void;
  inFlight(): number;
  waiting(): number;
  close(): void;
}

/** With the work itself this stays within the 5 s in which the contract promises an answer. */
const waitAtMostMs = 1200;
const waitingMax = 10_000;
const lookEveryMs = 100;

/**
 * Requests wait before their body is read, first come first served. Whoever is turned away has waited: answered at once, a crowd
 * that asks again at once would take up the time of those inside.
 */
export function makeLoadShedder(inFlightMax: number): LoadShedder {
  const waiters = new Set<{ sinceMs: number; answer: (reason: string | null) => void }>();
  let inFlight = 0;
  // Who was let in may take long to send its body, so that room is not only made by those who leave.
  const watch = setInterval(() => {
    turnAwayLate();
    for (let room = inFlightMax - inFlight; room > 0 && waiters.size > 0; room--) letNextIn();
  }, lookEveryMs);
  watch.unref();

  function turnAwayLate(): void {
    const lateMs = performance.now() - waitAtMostMs;
    for (const waiter of waiters) {
      if (waiter.sinceMs > lateMs) return;
      waiters.delete(waiter);
      waiter.answer(`${inFlight} requests are in work, and ${waiters.size} wait`);
    }
  }

  function letNextIn(): void {
    const [next] = waiters;
    if (!next) return;
    waiters.delete(next);
    next.answer(null);
  }

  const isFull = () => inFlight >= inFlightMax || waiters.size > 0;

  return {
    isFull,
    waitAtTheDoor() {
      if (!isFull()) return null;
      if (waiters.size >= waitingMax) return Promise.resolve(`${waiters.size} requests wait already`);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      waiters.add({ sinceMs: performance.now(), answer: resolve });
      return promise;
    },
    enter: () => void inFlight++,
    leave() {
      inFlight--;
      if (inFlight < inFlightMax) letNextIn();
    },
    inFlight: () => inFlight,
    waiting: () => waiters.size,
    close() {
      clearInterval(watch);
      for (const waiter of waiters) waiter.answer('the service is stopping');
      waiters.clear();
    },
  };
}
