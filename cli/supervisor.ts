import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../server/platform/log.ts';
import { exitCodes, Failure } from './command-line.ts';
import { type NodeProcess, ProcessGroup } from './process-group.ts';
import type { ProcessStart } from './process-messages.ts';

/** Returns the current settings for the process with this index. */
export type PartsOf = (index: number) => Omit<ProcessStart, 'counts'>;

/** Keeps the processes of a node running. */
export interface Supervisor {
  /** Starts all processes; returns their port. */
  start(): Promise<number>;
  /** Replaces one process after the other. A call during a restart repeats the restart afterwards. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
  /** Rejects when processes keep ending. */
  failed: Promise<never>;
}

/** If a process ends sooner than this, the cause of the previous end probably remains. */
const shortLifeMs = 10_000;
const shortLivesMax = 10;
const pauseMinMs = 100;
const pauseMaxMs = 5000;

export function makeSupervisor(processes: number, partsOf: PartsOf, log: Log): Supervisor {
  return new ProcessSupervisor(processes, partsOf, log);
}

class ProcessSupervisor implements Supervisor {
  readonly failed: Promise<never>;
  private readonly group: ProcessGroup;
  private readonly partsOf: PartsOf;
  private readonly log: Log;
  /** The processes that should run, by index; one that was replaced may still be stopping. */
  private readonly current: (NodeProcess | null)[];
  private readonly running: Set<NodeProcess>;
  private readonly shortLives: number[];
  private readonly fail: (error: Failure) => void;
  private restarting: Promise<void> | null;
  private mustRestartAgain: boolean;
  private isStopping: boolean;

  constructor(processes: number, partsOf: PartsOf, log: Log) {
    const failed = Promise.withResolvers<never>();
    this.failed = failed.promise;
    this.failed.catch(() => {});
    this.fail = failed.reject;
    this.group = new ProcessGroup();
    this.partsOf = partsOf;
    this.log = log;
    this.current = Array.from({ length: processes }, () => null);
    this.running = new Set();
    this.shortLives = this.current.map(() => 0);
    this.restarting = null;
    this.mustRestartAgain = false;
    this.isStopping = false;
  }

  async start(): Promise<number> {
    const begun = this.current.map((_, index) => this.begin(index));
    this.current.splice(0, begun.length, ...begun);
    try {
      const ports = await Promise.all(begun.map(servingOrKilled));
      for (const [index, process] of begun.entries()) this.watch(index, process, performance.now());
      return ports[0]!;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  restart(): Promise<void> {
    this.mustRestartAgain = true;
    this.restarting ??= this.restartAll().finally(() => {
      this.restarting = null;
    });
    return this.restarting;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const process of this.running) process.stop(false);
    await Promise.all([...this.running].map((process) => process.ended));
  }

  kill(): void {
    for (const process of this.running) process.kill();
  }

  private begin(index: number): NodeProcess {
    const process = this.group.start(this.partsOf(index));
    this.running.add(process);
    void process.ended.then(() => this.running.delete(process));
    return process;
  }

  /** Replaces the process when it ends, unless it has been replaced already. */
  private watch(index: number, process: NodeProcess, startedAtMs: number): void {
    void process.ended.then(({ code, signal }) => {
      if (this.isStopping || this.current[index] !== process) return;
      const { pid } = process;
      this.log.error({ ended: pid, code, signal }, 'a process of this node ended; it is replaced');
      const wasShort = performance.now() - startedAtMs < shortLifeMs;
      this.shortLives[index] = wasShort ? this.shortLives[index]! + 1 : 0;
      void this.replace(index, process);
    });
  }

  private async replace(index: number, ended: NodeProcess): Promise<void> {
    const lives = this.shortLives[index]!;
    if (lives > shortLivesMax) {
      const text = `a process ended ${lives} times within ${shortLifeMs / 1000} s of its start; see the log for the reason`;
      return this.fail(new Failure(exitCodes.cannotRun, text));
    }
    if (lives > 1) await sleep(Math.min(pauseMaxMs, pauseMinMs * 2 ** (lives - 2)));
    // A restart may have replaced the process during the pause.
    if (this.isStopping || this.current[index] !== ended) return;
    const process = this.begin(index);
    this.current[index] = process;
    this.watch(index, process, performance.now());
    await servingOrKilled(process).then(
      () => this.log.info({ started: process.pid }, 'a process of this node serves'),
      (error: Error) => this.log.error({ error: error.message }, 'a new process does not serve'),
    );
  }

  private async restartAll(): Promise<void> {
    while (this.mustRestartAgain && !this.isStopping) {
      this.mustRestartAgain = false;
      for (let index = 0; index < this.current.length && !this.isStopping; index++) await this.restartOne(index);
    }
    if (!this.isStopping) this.log.info('the restart of the processes is done');
  }

  /** The old process stops when the new one serves, so there are always as many as before. */
  private async restartOne(index: number): Promise<void> {
    const process = this.begin(index);
    try {
      await servingOrKilled(process);
    } catch (error) {
      if (this.isStopping) return;
      this.log.error({ error: (error as Error).message }, 'a new process does not serve; the old one continues');
      return;
    }
    if (this.isStopping) return process.stop(false);
    // Read only now: a process that ended meanwhile has been replaced.
    const old = this.current[index];
    this.current[index] = process;
    this.watch(index, process, performance.now());
    this.log.info({ ended: old?.pid, started: process.pid }, 'a process of this node is replaced');
    old?.stop(true);
    await old?.ended;
  }
}

/** A process that fails after it has begun to listen does not end by itself. */
async function servingOrKilled(process: NodeProcess): Promise<number> {
  try {
    return await process.serving;
  } catch (error) {
    process.kill();
    throw error;
  }
}
