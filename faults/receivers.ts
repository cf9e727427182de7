import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LogisticsClient, MainClient } from '../sdk/client.ts';
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
import { becomes, inTime, patiently } from './patience.ts';
import { makeRandom, type Random } from './random.ts';
import { residentMb } from './resident-memory.ts';
import { runAudit } from './run-audit.ts';

/** A try has 15 s; whoever is late with noting it has a little more. */
const attemptMaxMs = 16_500;
const responseCharactersMax = 16_384;
const memoryMaxMb = 512;
const promptP99Ms = 3000;
const wellWithinMs = 10_000;
const owedWithinMs = 90_000;
const readyWithinMs = 60_000;
/** The receivers, when they are asked for what they have. */
const toldWithinMs = 30_000;

/**
 * One receiver that is well beside seventeen that hang, drip, bomb and talk rubbish: it has its callbacks as promptly as alone and in order, every try
 * ends in time and is written down, and when the others are healed they have all that they are owed.
 */
export async function receivers({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  const port = await freePort();
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'error', CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' };
  const service = startService({ dataDir, port, apply: join(dataDir, provisioningFile), env });
  const others = await startReceivers(quick);
  try {
    await waitUntilReady(service, patiently(readyWithinMs, quick) / 1000);
    const run = makeRun(service, others, { quick, random: makeRandom(seed), progress });
    await run.everything();
    await stopService(service);
    const audit = await runAudit(dataDir);
    if (audit !== 'clean') run.find(`lading audit ${audit}`);
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
  /** What came since the last time. */
  collect(): Promise<Extract<ReceiversReport, { kind: 'collected' }>>;
  stop(): void;
}

async function startReceivers(quick: boolean): Promise<Receivers> {
  const child = fork(new URL('./bad-receivers-process.ts', import.meta.url));
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  child.once('exit', (code, signal) => ended.reject(new Error(`the receivers ended by themselves with ${code ?? signal}`)));

  async function ask<Kind extends ReceiversReport['kind']>(command: ReceiversCommand): Promise<Extract<ReceiversReport, { kind: Kind }>> {
    const told = once(child, 'message');
    child.send(command);
    const wait = { withinMs: patiently(toldWithinMs, quick), what: `the receivers ${command.kind}` };
    const [report] = await inTime(Promise.race([told, ended.promise]), wait);
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
  /** How many callbacks it is owed: it was received, and perhaps cancelled. */
  owed: number;
}

function makeRun(
  service: Service,
  others: Receivers,
  { quick, random, progress }: { quick: boolean; random: Random; progress(line: string): void },
) {
  const logistics = new LogisticsClient({ url: service.url, apiKey: faultKey.apiKey });
  const main = new MainClient({ url: service.url, ...faultClient });
  const forms = new Map<string, SentForm>();
  /** Each callback once, by its document and its place in the order; and how often it came. */
  const arrived = new Map<string, { arrival: Arrival; times: number }>();
  const inOrder = new Map<string, number>();
  const figures: Record<string, number | string> = {};
  const findings: string[] = [];
  const find = (what: string) => void findings.push(what);
  let [acknowledged, longestOutageMs, memoryMb, attempts, repeatedToWell] = [0, 0, 0, 0, 0];

  async function everything(): Promise<void> {
    const bad = [...others.urls.keys()].filter((name) => name !== 'well');
    await send(['well'], quick ? 2 : 10);
    const alone = await delaysOfWell();
    await send(['well', ...bad], quick ? 6 : 60);
    const among = await delaysOfWell();
    figures.badReceivers = bad.length;
    figures.wellAlone = word(alone);
    figures.wellAmong = word(among);
    figures.ratioOfP50 = Math.round((quantile(among, 0.5) / quantile(alone, 0.5)) * 100) / 100;
    if (alone.length === 0 || among.length === 0) find('the well receiver got nothing that could be measured');
    const p99Ms = quantile(among, 0.99);
    if (p99Ms > patiently(promptP99Ms, quick)) find(`the well receiver waited ${p99Ms} ms for its callbacks (p99)`);

    progress('the others are healed');
    await others.heal();
    const startedAt = performance.now();
    await untilOwedArrived();
    figures.owedArrivedMs = Math.round(performance.now() - startedAt);
    await lookAtAttempts();
    figures.memoryMb = memoryMb;
    figures.attempts = attempts;
    if (memoryMb > memoryMaxMb) find(`the service had ${memoryMb} MB`);
    if (repeatedToWell > 0) find(`the well receiver got ${repeatedToWell} callbacks again`);
  }

  /** Forms for these receivers, one after the other; every third is cancelled, so that there is an order to keep. */
  async function send(names: string[], seconds: number): Promise<void> {
    const until = performance.now() + seconds * 1000;
    let lastAt = performance.now();
    for (let count = 0; performance.now() < until; count++) {
      // Every other one is for the well one.
      const receiver = count % 2 === 0 ? 'well' : random.anyOf(names);
      await sendForm(receiver, count % 3 === 0);
      longestOutageMs = Math.max(longestOutageMs, Math.round(performance.now() - lastAt));
      lastAt = performance.now();
      if (count % 20 === 0) await look();
      await sleep(10);
    }
  }

  async function sendForm(receiver: string, isCancelled: boolean): Promise<void> {
    const formNo = `FORM-${forms.size + 1}`;
    const form: SentForm = { receiver, acceptedAtMs: 0, owed: 1 };
    forms.set(formNo, form);
    await logistics.inboundForm({
      form_no: formNo,
      internal_form_no: 'I',
      form_type: 1,
      shipping_type: 3,
      callback_url: others.urls.get(receiver)!,
      products: [{ sku: `SKU-${forms.size}`, quantity: 1 }],
    });
    form.acceptedAtMs = Date.now();
    acknowledged++;
    if (!isCancelled) return;
    const [result] = await main.inboundsCancel({ form_nos: [formNo] });
    if (result?.status !== 'cancelled') return find(`${formNo} could not be cancelled: ${JSON.stringify(result)}`);
    acknowledged++;
    form.owed++;
  }

  /** Takes what has come, and how large the service is. */
  async function look(): Promise<void> {
    const { arrivals, strange } = await others.collect();
    for (const what of strange) find(`a callback is not genuine: ${what}`);
    for (const arrival of arrivals) note(arrival);
    memoryMb = Math.max(memoryMb, residentMb(service.process.pid!));
  }

  function note(arrival: Arrival): void {
    const { documentNo, sequence, receiver } = arrival;
    const key = `${documentNo} ${sequence}`;
    const known = arrived.get(key);
    if (known) {
      known.times++;
      if (receiver === 'well') repeatedToWell++;
      return;
    }
    arrived.set(key, { arrival, times: 1 });
    if (forms.get(documentNo)?.receiver !== receiver) find(`${key} came to ${receiver}`);
    const before = inOrder.get(documentNo) ?? 0;
    if (sequence !== before + 1) find(`${receiver} got callback ${sequence} of ${documentNo} after ${before}`);
    inOrder.set(documentNo, Math.max(before, sequence));
  }

  /** Of the first callback of each form since the last time, from its answer to its arrival. */
  async function delaysOfWell(): Promise<number[]> {
    const withinMs = patiently(wellWithinMs, quick);
    const missedByWell = () => missing().filter(({ receiver }) => receiver === 'well');
    const hasAll = async () => {
      await look();
      return missedByWell().length === 0;
    };
    await becomes(hasAll, { withinMs, everyMs: 50 });
    for (const { key } of missedByWell()) find(`the well receiver did not get ${key} within ${withinMs / 1000} s`);
    const fresh = [...forms].filter(([formNo, form]) => form.receiver === 'well' && !measured.has(formNo));
    return fresh.flatMap(([formNo, form]) => {
      measured.add(formNo);
      const first = arrived.get(`${formNo} 1`);
      // It may be there before its sender has the answer.
      return first ? [Math.max(0, first.arrival.atMs - form.acceptedAtMs)] : [];
    });
  }

  const measured = new Set<string>();

  function missing(): { key: string; receiver: string }[] {
    return [...forms].flatMap(([formNo, { receiver, owed }]) =>
      Array.from({ length: owed }, (_, index) => ({ key: `${formNo} ${index + 1}`, receiver })).filter(({ key }) => !arrived.has(key)),
    );
  }

  /** Whoever is well again asks for what it has missed; by itself it would come within the hours of the retry schedule. */
  async function untilOwedArrived(): Promise<void> {
    const hasArrived = async () => {
      await main.callbacksRedeliver({ 'callbacks.status': 'pending' });
      await sleep(2000);
      await look();
      progress(`${missing().length} callbacks are still owed`);
      return missing().length === 0;
    };
    await becomes(hasArrived, { withinMs: patiently(owedWithinMs, quick) });
  }

  async function lookAtAttempts(): Promise<void> {
    let longestMs = 0;
    for await (const row of main.searchCallbacks({ page_size: 500 })) {
      for (const { duration_ms, http_status, error, response } of row.attempts) {
        attempts++;
        longestMs = Math.max(longestMs, duration_ms);
        if (duration_ms > patiently(attemptMaxMs, quick)) find(`a try of ${row.document_no} took ${duration_ms} ms`);
        if ((http_status === null) === (error === null))
          find(`a try of ${row.document_no} says neither what was answered nor why nothing was`);
        if ((response?.length ?? 0) > responseCharactersMax) find(`a try of ${row.document_no} keeps ${response!.length} characters`);
      }
      if (row.status !== 'delivered') find(`the callback ${row.sequence} of ${row.document_no} is ${row.status}`);
      if (row.attempts.length === 0) find(`no try of ${row.document_no} is written down`);
    }
    if (attempts === 0) find('no try is written down');
    figures.longestAttemptMs = longestMs;
  }

  function report(): FaultReport {
    const gone = missing();
    const lost = gone.map(({ key, receiver }) => `the callback ${key} has not come to the receiver that ${receiver}`);
    return {
      ...emptyReport('receivers'),
      rounds: figures.badReceivers as number,
      acknowledged,
      lost: gone.length,
      wrong: findings.length,
      callbacksOwed: [...forms.values()].reduce((sum, { owed }) => sum + owed, 0),
      callbacksMissing: gone.length,
      longestOutageMs,
      figures,
      findings: [...lost, ...findings],
    };
  }

  return { everything, report, find };
}

function quantile(values: number[], share: number): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length * share)] ?? Number.NaN;
}

function word(delays: number[]): string {
  return `${delays.length} callbacks, p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`;
}
