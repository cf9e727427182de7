import { fork } from 'node:child_process';
import { once } from 'node:events';
import { withService } from './child-process.ts';

export interface FloodMeasure {
  connections: number;
  servedPerSecond: number;
  turnedAwayPerSecond: number;
  other: number;
}

/** Far more connections than can be served, all asking again at once: what is served stays near what can be served. */
export async function flood(options: { seconds: number; connections: number[] }): Promise<FloodMeasure[]> {
  return await withService({ RATE_LIMIT: 'off', LOG_LEVEL: 'fatal' }, async ({ url }) => {
    const measures: FloodMeasure[] = [];
    await crowd(url, 64, 3);
    for (const connections of options.connections) measures.push(await crowd(url, connections, options.seconds));
    return measures;
  });
}

async function crowd(url: string, connections: number, seconds: number): Promise<FloodMeasure> {
  const child = fork(new URL('./flood-crowd.ts', import.meta.url), [new URL(url).port, String(connections), String(seconds)]);
  const [statuses] = (await once(child, 'message')) as [Record<string, number>];
  await once(child, 'exit');
  const { 200: served = 0, 503: turnedAway = 0, ...others } = statuses;
  const other = Object.values(others).reduce((sum, count) => sum + count, 0);
  return { connections, servedPerSecond: Math.round(served / seconds), turnedAwayPerSecond: Math.round(turnedAway / seconds), other };
}
