import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPid, type Service, syncProduct, withService } from './child-process.ts';

export interface HealRound {
  answers: Record<string, number>;
  longestOutageMs: number;
  slowestAnswerMs: number;
}

const clients = 4;
const roundSeconds = 6;

/** kill -9 of PostgreSQL under a running service: it answers 200 or 503, in time, and heals by itself. */
export async function postgresKilled(rounds: number, report: (round: HealRound) => void): Promise<void> {
  await withService({ RATE_LIMIT: 'off', LOG_LEVEL: 'fatal' }, async (service, dataDir) => {
    for (let round = 0; round < rounds; round++) report(await killOnce(service, dataDir));
  });
}

async function killOnce(service: Service, dataDir: string): Promise<HealRound> {
  const answers: Record<string, number> = {};
  const until = performance.now() + roundSeconds * 1000;
  let lastGood = performance.now();
  let longestOutageMs = 0;
  let slowestAnswerMs = 0;
  const client = async (name: number) => {
    for (let count = 0; performance.now() < until; count++) {
      const startedAt = performance.now();
      const status = await syncProduct(service, `H${name}-${count % 100}`).catch(() => 'no answer');
      const now = performance.now();
      answers[status] = (answers[status] ?? 0) + 1;
      slowestAnswerMs = Math.max(slowestAnswerMs, Math.round(now - startedAt));
      if (status === 200) {
        longestOutageMs = Math.max(longestOutageMs, Math.round(now - lastGood));
        lastGood = now;
      } else await sleep(20);
    }
  };
  const work = Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  await sleep(1000);
  process.kill(postgresPid(dataDir)!, 'SIGKILL');
  await work;
  return { answers, longestOutageMs, slowestAnswerMs };
}
