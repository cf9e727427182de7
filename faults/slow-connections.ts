import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, syncProduct, withService } from './child-process.ts';

export interface SlowMeasure {
  phase: string;
  requests: number;
  failed: number;
  p50Ms: number;
  p99Ms: number;
  eventLoopP99Ms: number;
  memoryMb: number;
  slowOpen: number;
}

const clients = 4;

/** Thousands of connections that trickle bytes, half of them in the headers and half in the body: others are served as before. */
export async function slowConnections(options: { connections: number; seconds: number }): Promise<SlowMeasure[]> {
  return await withService({ RATE_LIMIT: 'off' }, async (service) => {
    await measure(service, 'warm-up', 3, () => 0);
    const alone = await measure(service, 'alone', options.seconds, () => 0);
    const crowd = fork(new URL('./slow-crowd.ts', import.meta.url), [new URL(service.url).port, String(options.connections)]);
    let open = 0;
    crowd.on('message', (count) => {
      open = count as number;
    });
    await sleep(3000);
    const among = await measure(service, `${options.connections} slow connections`, options.seconds, () => open);
    crowd.kill();
    await sleep(1000);
    const after = await measure(service, 'afterwards', options.seconds, () => 0);
    return [alone, among, after];
  });
}

async function measure(service: Service, phase: string, seconds: number, slowOpen: () => number): Promise<SlowMeasure> {
  const until = performance.now() + seconds * 1000;
  const durations: number[] = [];
  let failed = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let count = 0; performance.now() < until; count++) {
        const startedAt = performance.now();
        const status = await syncProduct(service, `S${client}-${count % 100}`).catch(() => 0);
        if (status !== 200) failed++;
        durations.push(performance.now() - startedAt);
      }
    }),
  );
  durations.sort((left, right) => left - right);
  const open = slowOpen();
  const metrics = await fetch(`${service.url}/metrics`).then((answer) => answer.text());
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  return {
    phase,
    requests: durations.length,
    failed,
    p50Ms: round(durations[Math.floor(durations.length * 0.5)]!),
    p99Ms: round(durations[Math.floor(durations.length * 0.99)]!),
    eventLoopP99Ms: round(value('nodejs_eventloop_lag_p99_seconds') * 1000),
    memoryMb: Math.round(value('process_resident_memory_bytes') / 1_048_576),
    slowOpen: open,
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
