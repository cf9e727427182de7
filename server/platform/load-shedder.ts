/** Says when to turn requests away at the door, so that those already inside are still served in time. */
export interface LoadShedder {
  enter(): void;
  leave(): void;
  overload(): string | null;
  inFlight(): number;
  close(): void;
}

const sampleEveryMs = 200;
/** Later than this, every answer is late: better a quick 503 for some than a slow answer for all. */
const eventLoopDelayMaxMs = 1000;

export function makeLoadShedder(inFlightMax: number): LoadShedder {
  let inFlight = 0;
  let delayMs = 0;
  let sampledAt = performance.now();
  const sampler = setInterval(() => {
    const now = performance.now();
    delayMs = now - sampledAt - sampleEveryMs;
    sampledAt = now;
  }, sampleEveryMs);
  sampler.unref();

  return {
    enter: () => void inFlight++,
    leave: () => void inFlight--,
    inFlight: () => inFlight,
    overload() {
      if (inFlight >= inFlightMax) return `${inFlight} requests are in work`;
      if (delayMs > eventLoopDelayMaxMs) return `the event loop is ${Math.round(delayMs)} ms late`;
      return null;
    },
    close: () => clearInterval(sampler),
  };
}
