import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallbackRow, LogisticsClient, MainClient } from '../sdk/client.ts';
import type { Arrival, ReceiversCommand, ReceiversReport } from './bad-receivers-process.ts';
import {
  faultClient,
  faultKey,
  freePort,
  makeDataDir,
  provisioningFile,
  type Service,
  startService,
  stopService,
  waitUntilReady,
} from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { eventually, extendForQuickRun, withTimeout } from './patience.ts';
import { makeRandom, type Random } from './random.ts';
import { residentMb } from './resident-memory.ts';
import { runAudit } from './run-audit.ts';

/** An attempt may take 15 s; recording it may take a little longer. */
const attemptMaxMs = 16_500;
const responseCharactersMax = 16_384;
const memoryMaxMb = 512;
const promptP99Ms = 3000;
const healthyWithinMs = 10_000;
const owedWithinMs = 90_000;
const readyWithinMs = 60_000;
/** The time limit for a reply of the process with the receivers. */
const reportWithinMs = 30_000;

/**
 * One healthy receiver beside seventeen that hang, send one byte a second, send gzip bombs or send garbage. The healthy
 * one must get its callbacks in order and as promptly as when it is alone. Every attempt must end in time and be
 * recorded, and once the other receivers are healed, they must get every callback that they are owed.
 */
export async function receivers({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  const port = await freePort();
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'error', CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' };
  const service = startService({ dataDir, port, apply: join(dataDir, provisioningFile), env });
  const others = await startReceivers(quick);
  try {
    await waitUntilReady(service, extendForQuickRun(readyWithinMs, quick) / 1000);
    const run = new ReceiversRun(service, others, { quick, random: makeRandom(seed), progress });
    await run.everything();
    await stopService(service);
    const audit = await runAudit({ DATA_DIR: dataDir });
    if (audit !== 'clean') run.arrivals.find(`lading audit ${audit}`);
    return { ...run.report(), audit };
  } finally {
    others.stop();
    await stopService(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Receivers {
  urls: Map<string, string>;
  heal(): Promise<void>;
  /** The callbacks that arrived since the last call. */
  collect(): Promise<Extract<ReceiversReport, { kind: 'collected' }>>;
  stop(): void;
}

async function startReceivers(quick: boolean): Promise<Receivers> {
  const child = fork(new URL('./bad-receivers-process.ts', import.meta.url));
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  child.once('exit', (code, signal) =>
    ended.reject(new Error(`the process with the receivers ended unexpectedly with ${code ?? signal}`)),
  );

  async function ask<Kind extends ReceiversReport['kind']>(
    command: ReceiversCommand,
  ): Promise<Extract<ReceiversReport, { kind: Kind }>> {
    const reported = once(child, 'message');
    child.send(command);
    const wait = { withinMs: extendForQuickRun(reportWithinMs, quick), what: `receivers: ${command.kind}` };
    const [report] = await withTimeout(Promise.race([reported, ended.promise]), wait);
    return report as Extract<ReceiversReport, { kind: Kind }>;
  }

  const { urls } = await ask<'opened'>({ kind: 'open' });
  return {
    urls: new Map(urls),
    heal: async () => void (await ask<'healed'>({ kind: 'heal' })),
    collect: () => ask<'collected'>({ kind: 'collect' }),
    stop: () => child.connected && child.disconnect(),
  };
}

interface SentForm {
  receiver: string;
  acceptedAtMs: number;
  /** Number of callbacks owed: one for the receipt, and one more if the form was cancelled. */
  owed: number;
}

/** Compares the callbacks that arrived with the forms that were sent. */
class Arrivals {
  readonly forms = new Map<string, SentForm>();
  readonly findings: string[] = [];
  repeatedToHealthy = 0;
  /** The first arrival of each callback, by document and sequence number. */
  private readonly first = new Map<string, Arrival>();
  private readonly newestSequence = new Map<string, number>();
  private readonly measured = new Set<string>();

  find(what: string): void {
    this.findings.push(what);
  }

  note(arrival: Arrival): void {
    const { documentNo, sequence, receiver } = arrival;
    const key = `${documentNo} ${sequence}`;
    if (this.first.has(key)) {
      if (receiver === 'well') this.repeatedToHealthy++;
      return;
    }
    this.first.set(key, arrival);
    if (this.forms.get(documentNo)?.receiver !== receiver) this.find(`${key} arrived at ${receiver}`);
    const before = this.newestSequence.get(documentNo) ?? 0;
    if (sequence !== before + 1) this.find(`${receiver} got callback ${sequence} of ${documentNo} after ${before}`);
    this.newestSequence.set(documentNo, Math.max(before, sequence));
  }

  missing(): { key: string; receiver: string }[] {
    return [...this.forms].flatMap(([formNo, { receiver, owed }]) =>
      Array.from({ length: owed }, (_, index) => ({ key: `${formNo} ${index + 1}`, receiver })).filter(
        ({ key }) => !this.first.has(key),
      ),
    );
  }

  missedByHealthy(): { key: string }[] {
    return this.missing().filter(({ receiver }) => receiver === 'well');
  }

  /** The delay from the response to the first callback, for each form since the last call. */
  takeHealthyDelays(): number[] {
    const fresh = [...this.forms].filter(([formNo, { receiver }]) => receiver === 'well' && !this.measured.has(formNo));
    return fresh.flatMap(([formNo, form]) => {
      this.measured.add(formNo);
      const first = this.first.get(`${formNo} 1`);
      // A callback may arrive before the sender has read the response.
      return first ? [Math.max(0, first.atMs - form.acceptedAtMs)] : [];
    });
  }
}

class ReceiversRun {
  readonly arrivals = new Arrivals();
  private readonly service: Service;
  private readonly others: Receivers;
  private readonly options: { quick: boolean; random: Random; progress(line: string): void };
  private readonly logistics: LogisticsClient;
  private readonly main: MainClient;
  private readonly figures: Record<string, number | string> = {};
  private acknowledged = 0;
  private longestOutageMs = 0;
  private memoryMb = 0;

  constructor(
    service: Service,
    others: Receivers,
    options: { quick: boolean; random: Random; progress(line: string): void },
  ) {
    this.service = service;
    this.others = others;
    this.options = options;
    this.logistics = new LogisticsClient({ url: service.url, apiKey: faultKey.apiKey });
    this.main = new MainClient({ url: service.url, ...faultClient });
  }

  async everything(): Promise<void> {
    const { quick, progress } = this.options;
    const bad = [...this.others.urls.keys()].filter((name) => name !== 'well');
    this.figures.badReceivers = bad.length;
    await this.send(['well'], quick ? 2 : 10);
    const alone = await this.healthyDelays();
    await this.send(['well', ...bad], quick ? 6 : 60);
    this.compareDelays(alone, await this.healthyDelays());

    progress('the other receivers are healed');
    await this.others.heal();
    const startedAt = performance.now();
    await this.untilOwedArrived();
    this.figures.owedArrivedMs = Math.round(performance.now() - startedAt);
    await this.checkAttempts();
    this.figures.memoryMb = this.memoryMb;
    if (this.memoryMb > memoryMaxMb) this.arrivals.find(`the service used ${this.memoryMb} MB`);
    const { repeatedToHealthy } = this.arrivals;
    if (repeatedToHealthy > 0) this.arrivals.find(`the healthy receiver got ${repeatedToHealthy} callbacks twice`);
  }

  report(): FaultReport {
    const { forms, findings } = this.arrivals;
    const missing = this.arrivals.missing();
    const lost = missing.map(({ key, receiver }) => `callback ${key} has not arrived at receiver ${receiver}`);
    return {
      ...emptyReport('receivers'),
      rounds: this.figures.badReceivers as number,
      acknowledged: this.acknowledged,
      lost: missing.length,
      wrong: findings.length,
      callbacksOwed: [...forms.values()].reduce((sum, { owed }) => sum + owed, 0),
      callbacksMissing: missing.length,
      longestOutageMs: this.longestOutageMs,
      figures: this.figures,
      findings: [...lost, ...findings],
    };
  }

  private compareDelays(alone: number[], among: number[]): void {
    this.figures.wellAlone = formatDelays(alone);
    this.figures.wellAmong = formatDelays(among);
    this.figures.ratioOfP50 = Math.round((quantile(among, 0.5) / quantile(alone, 0.5)) * 100) / 100;
    if (alone.length === 0 || among.length === 0) this.arrivals.find('no delay of the healthy receiver was measured');
    const p99Ms = quantile(among, 0.99);
    if (p99Ms > extendForQuickRun(promptP99Ms, this.options.quick))
      this.arrivals.find(`the healthy receiver waited ${p99Ms} ms for its callbacks (p99)`);
  }

  /** Every other form is for the healthy receiver. Every third is cancelled, so that there is an order of callbacks. */
  private async send(names: string[], seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1000;
    let lastAt = performance.now();
    for (let count = 0; performance.now() < until; count++) {
      const receiver = count % 2 === 0 ? 'well' : this.options.random.anyOf(names);
      await this.sendForm(receiver, count % 3 === 0);
      this.longestOutageMs = Math.max(this.longestOutageMs, Math.round(performance.now() - lastAt));
      lastAt = performance.now();
      if (count % 20 === 0) await this.observe();
      await sleep(10);
    }
  }

  private async sendForm(receiver: string, isCancelled: boolean): Promise<void> {
    const { forms } = this.arrivals;
    const formNo = `FORM-${forms.size + 1}`;
    const form: SentForm = { receiver, acceptedAtMs: 0, owed: 1 };
    forms.set(formNo, form);
    await this.logistics.inboundForm({
      form_no: formNo,
      internal_form_no: 'I',
      form_type: 1,
      shipping_type: 3,
      callback_url: this.others.urls.get(receiver)!,
      products: [{ sku: `SKU-${forms.size}`, quantity: 1 }],
    });
    form.acceptedAtMs = Date.now();
    this.acknowledged++;
    if (!isCancelled) return;
    const [result] = await this.main.inboundsCancel({ form_nos: [formNo] });
    if (result?.status !== 'cancelled')
      return this.arrivals.find(`${formNo} could not be cancelled: ${JSON.stringify(result)}`);
    this.acknowledged++;
    form.owed++;
  }

  /** Collects the callbacks that arrived, and measures the memory of the service. */
  private async observe(): Promise<void> {
    const { arrivals, strange } = await this.others.collect();
    for (const what of strange) this.arrivals.find(`a callback is not genuine: ${what}`);
    for (const arrival of arrivals) this.arrivals.note(arrival);
    this.memoryMb = Math.max(this.memoryMb, residentMb(this.service.process.pid!));
  }

  private async healthyDelays(): Promise<number[]> {
    const withinMs = extendForQuickRun(healthyWithinMs, this.options.quick);
    const hasAll = async () => {
      await this.observe();
      return this.arrivals.missedByHealthy().length === 0;
    };
    await eventually(hasAll, { withinMs, everyMs: 50 });
    for (const { key } of this.arrivals.missedByHealthy())
      this.arrivals.find(`the healthy receiver did not get ${key} within ${withinMs / 1000} s`);
    return this.arrivals.takeHealthyDelays();
  }

  /** Requests redelivery, because the retry schedule alone would take hours. */
  private async untilOwedArrived(): Promise<void> {
    const hasArrived = async () => {
      await this.main.callbacksRedeliver({ 'callbacks.status': 'pending' });
      await sleep(2000);
      await this.observe();
      const owed = this.arrivals.missing().length;
      this.options.progress(`${owed} callbacks are still owed`);
      return owed === 0;
    };
    await eventually(hasArrived, { withinMs: extendForQuickRun(owedWithinMs, this.options.quick) });
  }

  private async checkAttempts(): Promise<void> {
    let [attempts, longestMs] = [0, 0];
    for await (const row of this.main.searchCallbacks({ page_size: 500 })) {
      for (const attempt of row.attempts) {
        attempts++;
        longestMs = Math.max(longestMs, attempt.duration_ms);
        for (const mistake of mistakesOf(attempt, this.options.quick))
          this.arrivals.find(`an attempt for ${row.document_no} ${mistake}`);
      }
      if (row.status !== 'delivered')
        this.arrivals.find(`callback ${row.sequence} of ${row.document_no} is ${row.status}`);
      if (row.attempts.length === 0) this.arrivals.find(`no attempt for ${row.document_no} is recorded`);
    }
    if (attempts === 0) this.arrivals.find('no attempt is recorded');
    this.figures.longestAttemptMs = longestMs;
    this.figures.attempts = attempts;
  }
}

function mistakesOf(
  { duration_ms, http_status, error, response }: CallbackRow['attempts'][number],
  quick: boolean,
): string[] {
  const mistakes: string[] = [];
  if (duration_ms > extendForQuickRun(attemptMaxMs, quick)) mistakes.push(`took ${duration_ms} ms`);
  if ((http_status === null) === (error === null)) mistakes.push('must have either a status or an error');
  if ((response?.length ?? 0) > responseCharactersMax) mistakes.push(`stores ${response!.length} characters`);
  return mistakes;
}

function quantile(values: number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}

function formatDelays(delays: number[]): string {
  return `${delays.length} callbacks, p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`;
}
