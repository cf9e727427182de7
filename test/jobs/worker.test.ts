import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMessage } from '../../messages/message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import type { Job } from '../../server/jobs/job.ts';
import { jobs, runDueJobs, startWorker } from '../../server/jobs/worker.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { makeLog } from '../../server/platform/log.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { testConfig } from '../support/app.ts';
import { makeTestStore } from '../support/database.ts';

const store = await makeTestStore();
const other = openDatabase(store.serviceConnection, { max: 4, deadlineSeconds: 4.5 });
after(async () => {
  await other.close();
  await store.close();
});

const logLines: string[] = [];
const log = makeLog('trace', { write: (line) => void logLines.push(line) });
const shared = {
  keyring: store.keyring,
  clock: systemClock,
  config: testConfig(),
  log,
  metrics: makeMetrics(),
  formatCallback,
};
const nodes = [
  { ...shared, database: store.service },
  { ...shared, database: other },
];
const [node] = nodes as [(typeof nodes)[0]];
const realJobs = [...jobs];

function schedule(...instead: Job[]): void {
  jobs.splice(0, jobs.length, ...instead);
}

function countingJob(name: string, run: () => Promise<string> = async () => 'done') {
  const job = {
    name,
    everySeconds: 3600,
    runs: 0,
    async run() {
      job.runs++;
      return { code: await run() };
    },
  };
  return job;
}

async function makeDue(name: string): Promise<void> {
  await store.database.read((sql) => sql`update schedule set next_run_at = now() where name = ${name}`);
}

async function scheduled(name: string) {
  const [row] = await store.database.read(
    (sql) => sql`
      select last_outcome, next_run_at > now() + interval '3590 seconds' as "inAnHour" from schedule where name = ${name}`,
  );
  const outcome = readMessage(row?.last_outcome ?? null);
  return row && { ...row, last_outcome: typeof outcome === 'string' ? outcome : outcome?.code };
}

beforeEach(async () => {
  await store.database.read((sql) => sql`delete from schedule`);
});

test('a due job runs once, however many workers look at once', async () => {
  const job = countingJob('once');
  schedule(job);
  for (let round = 1; round <= 4; round++) {
    await Promise.all([...nodes, ...nodes, ...nodes].map((context) => runDueJobs(context)));
    assert.equal(job.runs, round);
    await makeDue('once');
  }
});

test('a job that fails stops no other, and runs again at its next time', async () => {
  const failing = countingJob('failing', async () => {
    if (failing.runs === 1) throw new Error('no luck today');
    return 'luck';
  });
  const next = countingJob('next');
  schedule(failing, next);
  await runDueJobs(node);
  assert.deepEqual([failing.runs, next.runs], [1, 1]);
  assert.deepEqual(await scheduled('failing'), { last_outcome: 'failed', inAnHour: true });
  const line = logLines
    .map((text) => JSON.parse(text))
    .find(({ job, level }) => job === 'failing' && level === 'error');
  assert.equal(line.error, 'Error: no luck today');

  await runDueJobs(node);
  assert.equal(failing.runs, 1);
  await makeDue('failing');
  await runDueJobs(node);
  assert.deepEqual([failing.runs, next.runs], [2, 1]);
  assert.deepEqual(await scheduled('failing'), { last_outcome: 'luck', inAnHour: true });

  const metrics = await shared.metrics.registry.metrics();
  assert.match(metrics, /^lading_job_runs_total\{job="failing",outcome="failed"\} 1$/m);
  assert.match(metrics, /^lading_job_runs_total\{job="failing",outcome="done"\} 1$/m);
});

test('a worker runs due jobs; closing it waits for the running job and starts no other', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const long = countingJob('long', async () => {
    begun.resolve();
    await finish.promise;
    return 'finished';
  });
  const following = countingJob('following');
  schedule(long, following);
  const worker = startWorker(node);
  await begun.promise;
  let closed = false;
  const closing = worker.close().then(() => {
    closed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(closed, false);
  finish.resolve();
  await closing;

  assert.deepEqual([long.runs, following.runs], [1, 0]);
  assert.deepEqual(await scheduled('long'), { last_outcome: 'finished', inAnHour: true });
});

test('a long job holds up no other, and no worker starts it again while it runs', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const long = countingJob('long', async () => {
    begun.resolve();
    await finish.promise;
    return 'finished';
  });
  long.everySeconds = 0.2;
  const short = countingJob('short');
  schedule(long, short);
  const running = runDueJobs(node);
  await begun.promise;
  while ((await scheduled('short'))?.last_outcome !== 'done') await sleep(5);

  const patienceMs = performance.now() + 3 * long.everySeconds * 1000;
  while (performance.now() < patienceMs) {
    await runDueJobs(nodes[1]!);
    await sleep(10);
  }
  assert.equal(long.runs, 1);
  finish.resolve();
  await running;
  while (long.runs === 1) await runDueJobs(nodes[1]!);
  assert.equal(short.runs, 1);
});

test('a worker that closes stops its jobs', async () => {
  const begun = Promise.withResolvers<void>();
  const job: Job = {
    name: 'endless',
    everySeconds: 3600,
    async run({ stopping }) {
      begun.resolve();
      await once(stopping, 'abort');
      return { code: 'stopped' };
    },
  };
  schedule(job);
  const worker = startWorker(node);
  await begun.promise;
  await worker.close();
  assert.deepEqual(await scheduled('endless'), { last_outcome: 'stopped', inAnHour: true });
});

test('the service’s own jobs run on an empty database', async () => {
  schedule(...realJobs);
  await runDueJobs(node);
  assert.deepEqual(await scheduled('forget_old_requests'), { last_outcome: 'nothing_dropped', inAnHour: true });
  assert.deepEqual(await scheduled('forget_ended_secrets'), { last_outcome: 'secrets_forgotten', inAnHour: true });
  assert.deepEqual(await scheduled('forget_old_sessions'), { last_outcome: 'sessions_forgotten', inAnHour: true });
});
