/** One of several processes of a node; the program that the supervisor starts. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { makeKeyring } from '../server/platform/keyring.ts';
import { makeSharedCounts } from '../server/platform/limits/shared-counts.ts';
import { describeError, flushLog, type Log, makeServiceLog } from '../server/platform/log.ts';
import { metricsOfProcess } from '../server/platform/metrics.ts';
import { openDatabase, operationDeadlineSeconds } from '../server/platform/postgres/database.ts';
import { runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import type { Question, Siblings } from '../server/platform/siblings.ts';
import { exitCodes, failureOf } from './command-line.ts';
import type { FromProcess, ProcessStart, ToProcess } from './process-messages.ts';
import { endOnSurprise, leaveRoot, runProcess } from './run-process.ts';

const stopDeadlineSeconds = 30;

async function main(): Promise<void> {
  // Otherwise Node ends this process at once when the supervisor is gone; requests in progress must be finished.
  cluster.worker!.exitedAfterDisconnect = true;
  // A terminal and systemd send their signals to all processes of the node; the supervisor decides when each one stops.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const stop = stopRequest();
  const started = once(process, 'message') as Promise<[ToProcess]>;
  send({ kind: 'loaded' });
  const [start] = await started;
  // The node stops already.
  if (start.kind !== 'start') return process.disconnect();
  const { log, sumUp } = makeServiceLog(start.config.logLevel, process.pid);
  endOnSurprise(log);
  try {
    await serveUntilStopped(start, stop, log);
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    log.error(describeError(error), 'this process cannot serve');
    // The supervisor kills this process when it gets the message.
    await flushLog(log);
    send({ kind: 'failed', message, exitCode });
    process.exitCode = exitCodes.cannotRun;
  } finally {
    sumUp();
    await flushLog(log);
    if (process.connected) process.disconnect();
  }
}

async function serveUntilStopped(start: ProcessStart, stop: Promise<StopRequest>, log: Log): Promise<void> {
  const { config, retiredKeys, role, target, dataDir, user } = start;
  const siblings = connectSiblings(start);
  const deadlineMs = (config.drainSeconds + stopDeadlineSeconds) * 1000;
  // The start may hang, too.
  void stop.then(() => setTimeout(() => process.exit(exitCodes.refused), deadlineMs).unref());
  const database = openDatabase(target, { max: config.databasePool, deadlineSeconds: operationDeadlineSeconds, role });
  try {
    const keyring = makeKeyring(config.masterKey, config.masterKeysPrevious, retiredKeys);
    const running = await runProcess({ config, role, target, dataDir, database, keyring, log, siblings });
    if (user !== null && runsAsRoot()) await leaveRoot(running.app, user, log);
    send({ kind: 'serving', port: (running.app.http.server.address() as AddressInfo).port });

    const { alone, because } = await stop;
    if (because) log.warn(because);
    await (alone ? running.stopAlone() : running.stop());
    send({ kind: 'ending', metrics: await metricsOfProcess(running.app.metrics) });
  } finally {
    await database.close();
    siblings.counts.close();
  }
}

interface StopRequest {
  alone: boolean;
  because?: string;
}

/** The supervisor stops its processes by a message. A process also stops when the supervisor is gone. */
function stopRequest(): Promise<StopRequest> {
  return new Promise((resolve) => {
    process.on('message', (message: ToProcess) => {
      if (message.kind === 'stop') resolve({ alone: message.alone });
    });
    process.on('disconnect', () =>
      resolve({ alone: false, because: 'the supervising process is gone; this process stops' }),
    );
  });
}

function connectSiblings({ config, counts: known }: ProcessStart): Siblings & {
  counts: ReturnType<typeof makeSharedCounts>;
} {
  const counts = makeSharedCounts(config.processes, (message) => send({ kind: 'counts', ...message }));
  const handlers = new Map<Question, () => Promise<unknown>>();
  const asked = new Map<number, (answers: unknown[]) => void>();
  let lastId = 0;

  counts.receive(known);
  process.on('message', async (message: ToProcess) => {
    if (message.kind === 'counts') counts.receive(message);
    if (message.kind === 'answers') asked.get(message.id)?.(message.answers);
    // A process that does not serve yet, or that cannot find out, has no answer.
    if (message.kind === 'asked')
      send({
        kind: 'answer',
        id: message.id,
        answer: await handlers
          .get(message.question)?.()
          .catch(() => undefined),
      });
  });
  // Without its supervisor, a process answers for itself alone while it stops.
  process.on('disconnect', () => asked.forEach((resolve) => void resolve([])));
  return {
    counts,
    onAsked: (question, answer) => void handlers.set(question, answer),
    ask(question, own) {
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<unknown[]>();
      asked.set(id, resolve);
      if (!send({ kind: 'ask', id, question, own })) resolve([]);
      return promise.finally(() => asked.delete(id));
    },
  };
}

/** Returns false if the supervisor is gone. */
function send(message: FromProcess): boolean {
  if (!process.connected) return false;
  process.send!(message, undefined, undefined, () => {});
  return true;
}

await main();
