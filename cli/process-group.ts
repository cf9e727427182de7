import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Readiness } from '../server/api/health.ts';
import { type CountsHub, makeCountsHub } from '../server/platform/limits/counts-hub.ts';
import { addUpEnded, type MetricValues } from '../server/platform/metrics.ts';
import type { Question } from '../server/platform/siblings.ts';
import { exitCodes, Failure } from './command-line.ts';
import type { FromProcess, ProcessStart, ToProcess } from './process-messages.ts';

/** A process of the node. */
export interface NodeProcess {
  pid: number;
  /** Resolves to the port when the process serves; rejects if it ends or fails before. */
  serving: Promise<number>;
  ended: Promise<{ code: number | null; signal: string | null }>;
  /** `alone`: the other processes serve on. */
  stop(alone: boolean): void;
  kill(): void;
}

/** Readiness may have to wait for the database; its whole answer takes less than 5 s. */
const answerWithinMs: Record<Question, number> = { readiness: 4500, metrics: 2000 };

/** The processes of a node, which share their listening socket, the counts behind limits, metrics and readiness. */
export class ProcessGroup {
  private readonly hub: CountsHub;
  private readonly members: Map<number, Member>;
  private metricsOfEnded: Promise<MetricValues>;

  constructor() {
    this.hub = makeCountsHub();
    this.members = new Map();
    this.metricsOfEnded = Promise.resolve([]);
    // All processes accept from one socket. If a process is killed, only the connections that it had accepted are lost.
    // With Node's default, a connection that is being handed to the killed process would never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./serve-process.ts', import.meta.url)),
      args: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  start(parts: Omit<ProcessStart, 'counts'>): NodeProcess {
    let worker: Worker;
    try {
      worker = cluster.fork();
    } catch (error) {
      return notStarted(error as Error);
    }
    const member = new Member(worker);
    const { id } = member;
    this.members.set(id, member);
    member.onMessage((message) => this.receive(member, message, parts));
    void member.ended.then(() => {
      this.members.delete(id);
      this.hub.leave(id);
      this.metricsOfEnded = this.metricsOfEnded.then((ended) => addUpEnded([ended, member.metrics]));
    });
    return member;
  }

  private receive(member: Member, message: FromProcess, parts: Omit<ProcessStart, 'counts'>): void {
    switch (message.kind) {
      case 'loaded': {
        const counts = this.hub.join(member.id, (changed) => member.send({ kind: 'counts', ...changed }));
        member.send({ kind: 'start', ...parts, counts });
        return;
      }
      case 'counts':
        this.hub.receive(member.id, message);
        return;
      case 'ask':
        void this.askOthers(member, message.question, message.own).then((answers) =>
          member.send({ kind: 'answers', id: message.id, answers }),
        );
        return;
      case 'ending':
        member.keepMetrics(message.metrics, true);
        return;
      case 'serving':
      case 'failed':
      case 'answer':
        return;
      default:
        message satisfies never;
    }
  }

  private async askOthers(asker: Member, question: Question, own: unknown): Promise<unknown[]> {
    const others = [...this.members.values()].filter((one) => one !== asker && one.isServing);
    return question === 'readiness' ? await this.askReadiness(others) : await this.askMetrics(asker, others, own);
  }

  /** A process that leaves has closed its connection to the database, but the node is ready without it. */
  private async askReadiness(others: Member[]): Promise<Readiness[]> {
    const asked = others.filter((one) => !one.isLeaving);
    const answers = await Promise.all(asked.map((one) => one.ask('readiness')));
    return asked.flatMap((one, index) => {
      if (one.isLeaving || !this.members.has(one.id)) return [];
      const silence = { reasons: [`process ${one.pid} of this node does not answer`], warnings: [] };
      return [(answers[index] as Readiness | undefined) ?? silence];
    });
  }

  private async askMetrics(asker: Member, others: Member[], own: unknown): Promise<MetricValues[]> {
    asker.keepMetrics(own, false);
    const ask = async (one: Member) => one.keepMetrics(await one.ask('metrics'), false);
    await Promise.all(others.map(ask));
    // The metrics of a process that has ended meanwhile are in `metricsOfEnded`.
    const remaining = others.filter(({ id }) => this.members.has(id)).map(({ metrics }) => metrics);
    return [...remaining, await this.metricsOfEnded];
  }
}

/** Stands for a process that the system refused to start. */
function notStarted(error: Error): NodeProcess {
  const serving = Promise.reject<number>(cannotStart(error));
  serving.catch(() => {});
  return { pid: 0, serving, ended: Promise.resolve({ code: null, signal: null }), stop() {}, kill() {} };
}

function cannotStart({ message }: Error): Failure {
  return new Failure(exitCodes.cannotRun, `a process cannot be started (${message})`);
}

class Member implements NodeProcess {
  readonly id: number;
  readonly pid: number;
  readonly serving: Promise<number>;
  readonly ended: NodeProcess['ended'];
  isServing = false;
  /** The process stops while the others serve on. */
  isLeaving = false;
  /** The metrics of the last report. They still count after the process has ended. */
  metrics: MetricValues = [];
  private hasFinalMetrics = false;
  private readonly worker: Worker;
  private readonly asked = new Map<number, (answer: unknown) => void>();
  private lastId = 0;

  constructor(worker: Worker) {
    this.worker = worker;
    this.id = worker.id;
    this.pid = worker.process.pid ?? 0;
    const serving = Promise.withResolvers<number>();
    const ended = Promise.withResolvers<Awaited<NodeProcess['ended']>>();
    this.serving = serving.promise;
    this.ended = ended.promise;
    this.serving.catch(() => {});
    this.onMessage((message) => {
      if (message.kind === 'serving') {
        this.isServing = true;
        serving.resolve(message.port);
      }
      if (message.kind === 'failed') serving.reject(new Failure(message.exitCode, message.message));
      if (message.kind === 'answer') this.asked.get(message.id)?.(message.answer);
    });
    worker.on('error', (error: Error) => {
      // If the process was not started, there is no `exit`.
      if (worker.process.pid !== undefined) return;
      serving.reject(cannotStart(error));
      ended.resolve({ code: null, signal: null });
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.isServing = false;
      for (const answer of this.asked.values()) answer(undefined);
      serving.reject(
        new Failure(exitCodes.cannotRun, `a process ended while it started (${signal ?? `exit code ${code}`})`),
      );
      ended.resolve({ code, signal });
    });
  }

  /** Nothing replaces the final metrics. undefined: the process did not answer. */
  keepMetrics(metrics: unknown, areFinal: boolean): void {
    if (metrics === undefined || this.hasFinalMetrics) return;
    this.metrics = metrics as MetricValues;
    this.hasFinalMetrics = areFinal;
  }

  onMessage(handle: (message: FromProcess) => void): void {
    this.worker.on('message', handle);
  }

  send(message: ToProcess): void {
    if (this.worker.isConnected()) this.worker.send(message, () => {});
  }

  stop(alone: boolean): void {
    this.isLeaving ||= alone;
    this.send({ kind: 'stop', alone });
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  /** undefined if there is no answer in time. */
  async ask(question: Question): Promise<unknown> {
    const id = ++this.lastId;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.asked.set(id, resolve);
    this.send({ kind: 'asked', id, question });
    const late = new AbortController();
    const silence = sleep(answerWithinMs[question], undefined, { signal: late.signal }).catch(() => {});
    return await Promise.race([promise, silence]).finally(() => {
      late.abort();
      this.asked.delete(id);
    });
  }
}
