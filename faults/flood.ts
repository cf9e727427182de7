import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultProvisioning, freePort, startService, stopService, waitUntilReady } from './child-process.ts';

export interface FloodMeasure {
  connections: number;
  servedPerSecond: number;
  turnedAwayPerSecond: number;
  other: number;
}

/** Far more connections than can be served, all asking again at once: what is served stays near what can be served. */
export async function flood(options: { seconds: number; connections: number[] }): Promise<FloodMeasure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lading-faults-'));
  const apply = join(dataDir, 'provisioning.json');
  writeFileSync(apply, faultProvisioning);
  const service = startService({ dataDir, port: await freePort(), apply, env: { RATE_LIMIT: 'off', LOG_LEVEL: 'fatal' } });
  try {
    await waitUntilReady(service, 60);
    const measures: FloodMeasure[] = [];
    await crowd(service.url, 64, 3);
    for (const connections of options.connections) measures.push(await crowd(service.url, connections, options.seconds));
    return measures;
  } finally {
    await stopService(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function crowd(url: string, connections: number, seconds: number): Promise<FloodMeasure> {
  const child = fork(new URL('./flood-crowd.ts', import.meta.url), [new URL(url).port, String(connections), String(seconds)]);
  const [statuses] = (await once(child, 'message')) as [Record<string, number>];
  await once(child, 'exit');
  const { 200: served = 0, 503: turnedAway = 0, ...others } = statuses;
  const other = Object.values(others).reduce((sum, count) => sum + count, 0);
  return { connections, servedPerSecond: Math.round(served / seconds), turnedAwayPerSecond: Math.round(turnedAway / seconds), other };
}
