import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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

/** A process that does not answer in this time is left out. */
const answerWithinMs = 2000;

/** The processes of a node, which share their listening socket, the counts behind limits, metrics and readiness. */
export class ProcessGroup {
  private readonly hub: CountsHub;
  private readonly members: Map<number, Member>;
  private metricsOfEnded: Promise<MetricValues>;

  constructor() {
    this.hub = makeCountsHub();
    this.members = new Map();
    this.metricsOfEnded = Promise.resolve([]);
    // All processes accept from one socket. A process that is killed takes only those connections with it that it had
    // accepted; handed over one by one, as Node does by default, a connection on its way to it would never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./serve-process.ts', import.meta.url)),
      args: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  start(parts: Omit<ProcessStart, 'counts'>): NodeProcess {
    const member = new Member(cluster.fork());
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
        member.metrics = message.metrics as MetricValues;
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
    const answers = await Promise.all(others.map((one) => one.ask(question)));
    if (question === 'readiness')
      return answers.map((answer, index) => answer ?? [`process ${others[index]!.pid} does not answer`]);

    asker.metrics = own as MetricValues;
    for (const [index, answer] of answers.entries())
      if (answer !== undefined) others[index]!.metrics = answer as MetricValues;
    return [...others.map(({ metrics }) => metrics), await this.metricsOfEnded];
  }
}

class Member implements NodeProcess {
  readonly id: number;
  readonly pid: number;
  readonly serving: Promise<number>;
  readonly ended: NodeProcess['ended'];
  isServing = false;
  /** As last reported: they still count after the process has ended. */
  metrics: MetricValues = [];
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
    worker.on('error', () => {});
    worker.once('exit', (code: number | null, signal: string | null) => {
      this.isServing = false;
      for (const answer of this.asked.values()) answer(undefined);
      serving.reject(
        new Failure(exitCodes.cannotRun, `a process ended while it started (${signal ?? `exit code ${code}`})`),
      );
      ended.resolve({ code, signal });
    });
  }

  onMessage(handle: (message: FromProcess) => void): void {
    this.worker.on('message', handle);
  }

  send(message: ToProcess): void {
    if (this.worker.isConnected()) this.worker.send(message, () => {});
  }

  stop(alone: boolean): void {
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
    const silence = sleep(answerWithinMs, undefined, { signal: late.signal }).catch(() => {});
    return await Promise.race([promise, silence]).finally(() => {
      late.abort();
      this.asked.delete(id);
    });
  }
}
