import { randomUUID } from 'node:crypto';
import { signedHeaders } from '../domain/callbacks/callback-signature.ts';
import { readRetryAfter } from '../domain/callbacks/retry-schedule.ts';
import { type Posted, type PushRules, retrySeconds, type Transfer, verdictOn } from '../domain/orders/transfer.ts';
import { loadTransferred } from '../domain/orders/transfer-content-queries.ts';
import {
  beginSending,
  type FailedTry,
  failWave,
  handOverToSimulator,
  noteStuck,
  ordersOfWave,
  recordSent,
} from '../domain/orders/transfer-orders.ts';
import { findSending } from '../domain/orders/transfer-queries.ts';
import { endWave, renewWave, type Wave } from '../domain/orders/transfer-schedule-queries.ts';
import { DatabaseUnavailable, type Tx } from '../platform/database.ts';
import { UnknownMasterKey } from '../platform/keyring.ts';
import { describeError } from '../platform/log.ts';
import type { PushContext } from './push-orders.ts';

type WaveContext = Omit<PushContext, 'settings'> & { rules: PushRules; closing: AbortSignal };

/** Why a wave ended before it was through. */
type Stop =
  | ({ kind: 'failed' } & FailedTry)
  /** The worker is to stop, or the warehouse is connected in another way: whoever comes next begins anew. */
  | { kind: 'interrupted' }
  /** Others are to have their turn. */
  | { kind: 'turn_over' }
  | { kind: 'lost' };

/** How much of a lease is left when it is renewed. */
const renewShare = 0.6;
/** More is not read of an answer, so that one of this length may have been cut. */
const answerReadMax = 16_384;
const surpriseAgainSeconds = 5;

/** One wave, to its end; it never rejects. */
export async function runWave(wave: Wave, leaseEndsAtMs: number, context: WaveContext): Promise<void> {
  const { database, log, metrics, rules } = context;
  const { warehouseNo } = wave;
  const lease = keepLease(wave, leaseEndsAtMs, context);
  const counts = { transferred: 0, putAside: 0 };
  const turnEndsAtMs = performance.now() + rules.waveSeconds * 1000;
  let hasBegun = false;
  const isIsolating = wave.failures >= rules.isolatedAfterFailures;
  /** The transfers that are left for the next wave, and for how long the warehouse asked to be left alone because of them. */
  const stuck = new Set<string>();
  let stuckAskedForSeconds = 0;
  try {
    const stop = wave.connector.type === 'http' ? await postOrders() : await giveToSimulator();
    await end(stop);
  } catch (error) {
    const trouble = { warehouse_no: warehouseNo, ...describeError(error) };
    if (error instanceof DatabaseUnavailable) log.warn(trouble, 'the database is out of reach; a wave is taken up again later');
    else log.error(trouble, 'a wave broke off; it is taken up again');
    metrics.waves.inc({ outcome: 'broken_off' });
    await endSoon().catch(() => {});
  } finally {
    lease.release();
  }

  async function giveToSimulator(): Promise<Stop | null> {
    const { connector } = wave;
    if (connector.type !== 'simulator') return { kind: 'interrupted' };
    for await (const orderIds of ordersOfWave(database, wave, rules)) {
      const early = whyNoMore();
      if (early) return early;
      const given = await lease.transaction((tx) => handOverToSimulator(tx, { ...wave, connector }, orderIds, rules));
      if (given.kind !== 'handed_over') return stopOf(given);
      count({ accepted: given.count, rejected: 0 });
    }
    return null;
  }

  async function postOrders(): Promise<Stop | null> {
    const stop = await postAgain();
    if (stop) return stop;
    for await (const orderIds of ordersOfWave(database, wave, rules)) {
      const early = whyNoMore();
      if (early) return early;
      const begun = await lease.transaction((tx) => beginSending(tx, wave, orderIds, rules));
      if (begun.kind !== 'begun') return stopOf(begun);
      const stopped = await post(begun.transfers, { isFirst: true });
      if (stopped) return stopped;
    }
    return null;
  }

  /** A wave takes one batch of new orders at least, however long it took to come so far: so each wave gets on. */
  function whyNoMore(): Stop | null {
    if (context.closing.aborted) return { kind: 'interrupted' };
    if (hasBegun && performance.now() >= turnEndsAtMs) return { kind: 'turn_over' };
    hasBegun = true;
    return null;
  }

  /** What an earlier wave has left behind, before any new order, and with the ids that it had. */
  async function postAgain(): Promise<Stop | null> {
    for (;;) {
      const sending = await database.read((sql) => findSending(sql, warehouseNo, rules.postedMax + stuck.size));
      const left = sending.filter((one) => !stuck.has(one.transferId)).slice(0, rules.postedMax);
      if (left.length === 0) return null;
      const isToBeSent = (one: (typeof left)[number]) => one.orderStatus === 'pending_warehouse_transfer';
      const reported = left.filter((one) => !isToBeSent(one));
      const stop = (await record(reported, new Map())) ?? (await postLeft(left.filter(isToBeSent)));
      if (stop) return stop;
    }
  }

  /** So few may be those that an earlier wave was stuck with: one of them must not fail the others. */
  async function postLeft(transfers: Transfer[]): Promise<Stop | null> {
    if (!isIsolating || transfers.length > rules.stuckMax) return await post(transfers, { isFirst: false });
    for (const transfer of transfers) {
      const stop = await post([transfer], { isFirst: false });
      if (stop) return stop;
    }
    return null;
  }

  async function post(transfers: Transfer[], { isFirst }: { isFirst: boolean }): Promise<Stop | null> {
    if (transfers.length === 0) return null;
    // What has just begun goes out all the same: its orders could not be cancelled until another worker comes.
    if (context.closing.aborted && !isFirst) return { kind: 'interrupted' };
    const orders = await database.read((sql) => loadTransferred(sql, transfers));
    const batchId = randomUUID();
    const body = context.wordTransfer({ batchId, warehouseNo, sentAt: context.clock.now(), orders });
    if (orders.length > 1 && Buffer.byteLength(body) > rules.bodyMaxBytes) return await postHalves(transfers, { isFirst });

    const posted = await send(batchId, body);
    if (posted === null) return { kind: 'lost' };
    const verdict = verdictOn(posted, orders.length, { isIsolating });
    switch (verdict.kind) {
      case 'taken':
        if (verdict.isUnreadable)
          log.warn({ warehouse_no: warehouseNo, batch_id: batchId }, 'an answer is no JSON; the orders count as taken');
        return await record(transfers, verdict.rejected);
      case 'rejected':
        return await record(transfers, new Map(transfers.map(({ transferId }) => [transferId, verdict.reason])));
      case 'too_many':
        return await postHalves(transfers, { isFirst: false });
      case 'stuck':
        return await passBy(transfers, verdict);
      case 'again': {
        const { why, askedForSeconds, mayBeTakenBack } = verdict;
        return { kind: 'failed', transfers, isTakenBack: isFirst && mayBeTakenBack, why, askedForSeconds };
      }
      default:
        return verdict satisfies never;
    }
  }

  /** The older ones first. */
  async function postHalves(transfers: Transfer[], { isFirst }: { isFirst: boolean }): Promise<Stop | null> {
    const middle = Math.ceil(transfers.length / 2);
    const stop = await post(transfers.slice(0, middle), { isFirst });
    if (!stop) return await post(transfers.slice(middle), { isFirst });
    // The newer ones were not even tried: they must not come before older ones that are taken back.
    if (stop.kind === 'failed' && stop.isTakenBack) return { ...stop, transfers: [...stop.transfers, ...transfers.slice(middle)] };
    return stop;
  }

  /** Leaves the one order that was posted to the next wave, unless there are so many that none of them is the cause. */
  async function passBy(transfers: Transfer[], { why, askedForSeconds }: { why: string; askedForSeconds: number }): Promise<Stop | null> {
    if (stuck.size + 1 >= rules.stuckMax) return { kind: 'failed', transfers, isTakenBack: false, why, askedForSeconds };
    for (const transfer of transfers) {
      const noted = await lease.transaction((tx) => noteStuck(tx, wave, transfer, why, rules));
      if (noted.kind === 'lost') return noted;
      stuck.add(transfer.transferId);
      metrics.transfers.inc({ outcome: 'failed' });
    }
    stuckAskedForSeconds = Math.max(stuckAskedForSeconds, askedForSeconds);
    return null;
  }

  /** null: the wave may be somebody else's by now. */
  async function send(batchId: string, body: string): Promise<Posted | null> {
    const { connector } = wave;
    if (connector.type !== 'http') return null;
    const secrets = await context.secretsOf(warehouseNo).catch(noneUnlessAway);
    if (secrets.length === 0) return { kind: 'unanswered', error: 'no secret to sign with', wasConnected: false };
    if (!lease.isOurs()) return null;
    const outcome = await context.http.post({
      url: connector.url,
      headers: signedHeaders({ eventId: batchId, body }, secrets, context.clock.now()),
      body,
      deadlineMs: rules.postSeconds * 1000,
    });
    if (outcome.kind === 'failed') {
      return { kind: 'unanswered', error: outcome.error, wasConnected: outcome.address !== null && outcome.error !== connectionRefused };
    }
    const { status, response } = outcome;
    const retryAfterSeconds = readRetryAfter(outcome.retryAfter, context.clock.now());
    return { kind: 'answered', status, response, retryAfterSeconds, isCut: Buffer.byteLength(response) >= answerReadMax };
  }

  function noneUnlessAway(error: unknown): string[] {
    if (!(error instanceof UnknownMasterKey)) throw error;
    // Another worker may be able to open it.
    log.error(describeError(error), 'the secret of a warehouse could not be opened');
    return [];
  }

  async function record(transfers: Transfer[], rejected: ReadonlyMap<string, string>): Promise<Stop | null> {
    if (transfers.length === 0) return null;
    const recorded = await lease.transaction((tx) => recordSent(tx, wave, transfers, rejected, rules));
    if (recorded.kind === 'lost') return recorded;
    count(recorded);
    return null;
  }

  function count({ accepted, rejected }: { accepted: number; rejected: number }): void {
    counts.transferred += accepted;
    counts.putAside += rejected;
    metrics.transfers.inc({ outcome: 'accepted' }, accepted);
    metrics.transfers.inc({ outcome: 'rejected' }, rejected);
  }

  async function end(stop: Stop | null): Promise<void> {
    const line = { warehouse_no: warehouseNo, transferred: counts.transferred, put_aside: counts.putAside, stuck: stuck.size };
    const outcome = `transferred ${counts.transferred}, put aside ${counts.putAside}${stuck.size > 0 ? `, stuck ${stuck.size}` : ''}`;
    // While there are such orders, the next wave is to look for them at once.
    const failuresKept = stuck.size > 0 ? rules.isolatedAfterFailures : 0;
    metrics.waves.inc({ outcome: stop?.kind ?? 'done' });
    switch (stop?.kind) {
      case undefined:
        await database.transaction((tx) => endWave(tx, wave, { failures: failuresKept, outcome, afterSeconds: afterSecondsIfStuck() }));
        if (stuck.size > 0) log.warn(line, 'a wave has gone to its warehouse but for orders that make it fail; they are tried again');
        else if (counts.transferred + counts.putAside > 0) log.info(line, 'a wave of orders has gone to its warehouse');
        return;
      case 'interrupted':
        await database.transaction((tx) =>
          endWave(tx, wave, { failures: wave.failures, outcome: `interrupted: ${outcome}`, afterSeconds: 0 }),
        );
        return;
      case 'turn_over':
        await database.transaction((tx) =>
          endWave(tx, wave, { failures: failuresKept, outcome: `turn over: ${outcome}`, afterSeconds: 0 }),
        );
        log.info(line, 'a wave of orders lets others have their turn');
        return;
      case 'lost':
        log.warn(line, 'a wave was taken over by another worker');
        return;
      case 'failed': {
        // What went well before shows that the warehouse is there: its failures begin anew.
        const before = counts.transferred + counts.putAside > 0 ? { ...wave, failures: Math.max(0, failuresKept - 1) } : wave;
        const afterSeconds = await database.transaction((tx) => failWave(tx, before, stop, rules));
        metrics.transfers.inc({ outcome: 'failed' }, stop.transfers.length);
        const failures = before.failures + 1;
        log.warn(
          { ...line, why: stop.why, failures, again_after_s: Math.round(afterSeconds ?? 0) },
          'a wave could not be finished; it is tried again',
        );
        return;
      }
      default:
        stop satisfies never;
    }
  }

  /** null: when it is its time. */
  function afterSecondsIfStuck(): number | null {
    if (stuck.size === 0) return null;
    return retrySeconds(rules.isolatedAfterFailures, stuckAskedForSeconds, rules, Math.random());
  }

  /** Should that not be possible either, the lease ends by itself. */
  async function endSoon(): Promise<void> {
    const failures = wave.failures + 1;
    await database.transaction((tx) =>
      endWave(tx, wave, { failures, outcome: 'failed: internal error', afterSeconds: surpriseAgainSeconds }),
    );
  }
}

const connectionRefused = 'connection refused';

function stopOf(overtaken: { kind: 'lost' } | { kind: 'reconnected' }): Stop {
  return overtaken.kind === 'lost' ? overtaken : { kind: 'interrupted' };
}

/** Renews a lease for as long as the wave goes on: a post may take longer than it holds. */
function keepLease(wave: Wave, endsAtMs: number, { database, rules }: WaveContext) {
  const leaseMs = rules.leaseSeconds * 1000;
  let ourUntilMs = endsAtMs;
  const timer = setInterval(() => void renew().catch(() => {}), leaseMs * (1 - renewShare));

  async function renew(): Promise<void> {
    const askedAtMs = performance.now();
    if (await database.read((sql) => renewWave(sql, wave, rules.leaseSeconds))) ourUntilMs = askedAtMs + leaseMs;
    else ourUntilMs = 0;
  }

  return {
    isOurs: () => performance.now() < ourUntilMs,
    /** What is written under the lease renews it. */
    async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const askedAtMs = performance.now();
      const result = await database.transaction(work);
      ourUntilMs = askedAtMs + leaseMs;
      return result;
    },
    release: () => clearInterval(timer),
  };
}
