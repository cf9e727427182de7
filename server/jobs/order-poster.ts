import { randomUUID } from 'node:crypto';
import type { Message } from '../../messages/message.ts';
import { makeRedact } from '../domain/orders/redact-recipient.ts';
import {
  type PendingBatch,
  type PostVerdict,
  recipientOf,
  type Transfer,
  verdictOn,
} from '../domain/transfers/transfer.ts';
import { loadTransferred } from '../domain/transfers/transfer-content-queries.ts';
import { beginSending, noteBlocked, recordSent } from '../domain/transfers/transfer-orders.ts';
import { findSending, type SentTransfer } from '../domain/transfers/transfer-queries.ts';
import { accountsOf } from '../platform/postgres/per-account.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import { postToWarehouse } from './post-to-warehouse.ts';
import { type RunningWave, stopOf } from './running-wave.ts';
import type { Stop } from './wave-end.ts';

/** Posts the orders of a wave to the system of its warehouse, and records what the warehouse accepts and rejects. */
export class OrderPoster {
  private readonly running: RunningWave;
  /** After several failures, batches are halved on every 5xx response to find the order that may cause them. */
  private readonly isIsolating: boolean;

  constructor(running: RunningWave) {
    this.running = running;
    this.isIsolating = running.wave.failures >= running.context.rules.isolatedAfterFailures;
  }

  async postAll(): Promise<Stop | null> {
    return (await this.postUnconfirmed()) ?? (await this.running.eachBatch((batch) => this.postNew(batch)));
  }

  /** Transfers that an earlier wave left unconfirmed go before new orders, under the ids that they already have. */
  private async postUnconfirmed(): Promise<Stop | null> {
    for (;;) {
      const transfers = await this.nextUnconfirmed();
      if (transfers.length === 0) return null;
      const isPending = (one: SentTransfer) => one.orderStatus === 'pending_warehouse_transfer';
      const reported = transfers.filter((one) => !isPending(one));
      const stop = (await this.record(reported, new Map())) ?? (await this.repost(transfers.filter(isPending)));
      if (stop) return stop;
    }
  }

  /** Those of one account: the one with the oldest order. */
  private async nextUnconfirmed(): Promise<SentTransfer[]> {
    const { wave, context, progress } = this.running;
    const { postedMax } = context.rules;
    const limit = postedMax + progress.blocked.size;
    const sending = await context.database.read(noAccounts, (sql) => findSending(sql, wave.warehouseNo, limit));
    const unblocked = sending.filter((one) => !progress.blocked.has(one.transferId));
    const [oldest] = unblocked.toSorted((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
    return unblocked.filter((one) => one.accountId === oldest?.accountId).slice(0, postedMax);
  }

  /** Transfers that may have blocked an earlier wave are sent one by one, so that none fails the others. */
  private async repost(transfers: Transfer[]): Promise<Stop | null> {
    if (!this.isIsolating || transfers.length > this.running.context.rules.blockedMax)
      return await this.post(transfers, { isFirst: false });
    for (const transfer of transfers) {
      const stop = await this.post([transfer], { isFirst: false });
      if (stop) return stop;
    }
    return null;
  }

  private async postNew(batch: PendingBatch): Promise<Stop | null> {
    const { wave, context, lease } = this.running;
    const begun = await lease.transaction(batch.accountId, (tx) => beginSending(tx, wave, batch, context.rules));
    return begun.kind === 'begun' ? await this.post(begun.transfers, { isFirst: true }) : stopOf(begun);
  }

  private async post(transfers: Transfer[], { isFirst }: { isFirst: boolean }): Promise<Stop | null> {
    const { wave, context, lease } = this.running;
    if (transfers.length === 0) return null;
    // New transfers are posted even during shutdown: their orders cannot be cancelled until another worker posts them.
    if (context.closing.aborted && !isFirst) return { kind: 'interrupted' };
    const orders = await context.database.read(accountsOf(transfers), (sql) => loadTransferred(sql, transfers));
    const batchId = randomUUID();
    const { warehouseNo } = wave;
    const body = context.formatTransfer({ batchId, warehouseNo, sentAt: context.clock.now(), orders });
    if (orders.length > 1 && Buffer.byteLength(body) > context.rules.bodyMaxBytes)
      return await this.postHalves(transfers, { isFirst });

    const url = wave.connector.type === 'http' ? wave.connector.url : '';
    const posted = await postToWarehouse({ batchId, body, url }, wave, lease, context);
    if (posted === null) return { kind: 'lost' };
    let made: ReturnType<typeof makeRedact> | null = null;
    const redact = (text: string) => {
      made ??= makeRedact(orders.map(recipientOf));
      return made(text);
    };
    const verdict = verdictOn(posted, orders.length, {
      isIsolating: this.isIsolating,
      redact,
      idField: 'transfer_id',
    });
    if (verdict.kind === 'accepted' && verdict.isUnreadable)
      context.log.warn(
        { warehouse_no: warehouseNo, batch_id: batchId },
        'a warehouse sent a response that has no JSON; the orders count as accepted',
      );
    return await this.apply(verdict, transfers, { isFirst });
  }

  private async apply(
    verdict: PostVerdict,
    transfers: Transfer[],
    { isFirst }: { isFirst: boolean },
  ): Promise<Stop | null> {
    switch (verdict.kind) {
      case 'accepted':
        return await this.record(transfers, verdict.rejected);
      case 'rejected':
        return await this.record(transfers, new Map(transfers.map(({ transferId }) => [transferId, verdict.reason])));
      case 'too_many':
        return await this.postHalves(transfers, { isFirst: false });
      case 'blocked':
        return await this.skipBlocked(transfers, verdict);
      case 'again': {
        const { why, askedForSeconds, mayBeTakenBack } = verdict;
        return { kind: 'failed', transfers, isTakenBack: isFirst && mayBeTakenBack, why, askedForSeconds };
      }
      default:
        return verdict satisfies never;
    }
  }

  /** The older half goes first. */
  private async postHalves(transfers: Transfer[], { isFirst }: { isFirst: boolean }): Promise<Stop | null> {
    const middle = Math.ceil(transfers.length / 2);
    const stop = await this.post(transfers.slice(0, middle), { isFirst });
    if (!stop) return await this.post(transfers.slice(middle), { isFirst });
    // The newer half has not been posted. It is taken back too, or it would overtake the older half.
    if (stop.kind === 'failed' && stop.isTakenBack)
      return { ...stop, transfers: [...stop.transfers, ...transfers.slice(middle)] };
    return stop;
  }

  /** Leaves a blocked transfer to the next wave. With too many of them, the cause is the warehouse and not an order. */
  private async skipBlocked(
    transfers: Transfer[],
    { why, askedForSeconds }: { why: Message; askedForSeconds: number },
  ): Promise<Stop | null> {
    const { wave, context, lease, progress } = this.running;
    if (progress.blocked.size + 1 >= context.rules.blockedMax)
      return { kind: 'failed', transfers, isTakenBack: false, why, askedForSeconds };
    for (const transfer of transfers) {
      const noted = await lease.transaction(transfer.accountId, (tx) =>
        noteBlocked(tx, wave, transfer, why, context.rules),
      );
      if (noted.kind === 'lost') return noted;
      progress.blocked.add(transfer.transferId);
      context.metrics.transfers.inc({ outcome: 'failed' });
    }
    progress.blockedRetryAfterSeconds = Math.max(progress.blockedRetryAfterSeconds, askedForSeconds);
    return null;
  }

  private async record(transfers: Transfer[], rejected: ReadonlyMap<string, Message>): Promise<Stop | null> {
    const { wave, context, lease } = this.running;
    if (transfers.length === 0) return null;
    const recorded = await lease.transaction(transfers[0]!.accountId, (tx) =>
      recordSent(tx, wave, transfers, rejected, context.rules),
    );
    if (recorded.kind === 'lost') return recorded;
    this.running.count(recorded);
    return null;
  }
}
