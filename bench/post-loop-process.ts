/** A separate process that posts the same bodies directly with undici, as a baseline for the delivery of callbacks. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

export interface PostLoopCommand {
  /** Bodies take turns over them. */
  urls: string[];
  bodies: string[];
  /** Requests to each receiver at a time. */
  atOnce: number;
}

process.on('message', async ({ urls, bodies, atOnce }: PostLoopCommand) => {
  const receivers = urls.map((url) => {
    const { origin, pathname } = new URL(url);
    return { pathname, pool: new Pool(origin, { connections: atOnce, pipelining: 1 }) };
  });
  let next = 0;
  async function post(): Promise<void> {
    while (next < bodies.length) {
      const { pool, pathname } = receivers[next % receivers.length]!;
      const body = bodies[next++]!;
      const headers = { 'content-type': 'application/json', 'webhook-id': randomUUID() };
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body });
      await answer.body.text();
    }
  }
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: atOnce * urls.length }, post));
  process.send!({ seconds: (performance.now() - startedMs) / 1000 });
  await Promise.all(receivers.map(({ pool }) => pool.close()));
});
process.on('disconnect', () => process.exit());
