import { randomUUID } from 'node:crypto';
import { formatMessage } from '../../messages/format-message.ts';
import type { Message } from '../../messages/message.ts';
import { findAllRecipients } from '../domain/orders/former-recipients.ts';
import type { Recipient } from '../domain/orders/recipient.ts';
import { makeRedact } from '../domain/orders/redact-recipient.ts';
import { type PostedChanges, recordAnswers, recordUnanswered } from '../domain/transfers/answer-changes.ts';
import { nextToPost, type RequestedChange } from '../domain/transfers/requested-change.ts';
import { findRequestedChanges } from '../domain/transfers/requested-change-queries.ts';
import { reasonOf } from '../domain/transfers/settle-replaced.ts';
import { verdictOn } from '../domain/transfers/transfer.ts';
import { whyRevoked } from '../domain/transfers/transfer-orders.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import { postToWarehouse } from './post-to-warehouse.ts';
import { type RunningWave, stopOf } from './running-wave.ts';
import type { Stop } from './wave-end.ts';

/** `failed`: the other changes of this wave would probably fail too. */
type Progress = 'goes_on' | 'failed' | Stop;

/**
 * Asks the system of a warehouse to change orders that it has accepted. New orders do not wait for its answers: if it
 * fails, the next wave asks again, under the same ids.
 */
export class ChangePoster {
  private readonly running: RunningWave;
  private readonly failedOrders: Set<number>;
  private failedPosts: number;

  constructor(running: RunningWave) {
    this.running = running;
    this.failedOrders = new Set();
    this.failedPosts = 0;
  }

  async postAll(): Promise<Stop | null> {
    while (!this.running.context.closing.aborted) {
      const changes = await this.next();
      if (changes.length === 0) return null;
      const progress = await this.post({ accountId: changes[0]!.accountId, changes });
      if (progress === 'failed') return null;
      if (progress !== 'goes_on') return progress;
    }
    return null;
  }

  private async next(): Promise<RequestedChange[]> {
    const { wave, context } = this.running;
    const { postedMax, isolatedAfterFailures } = context.rules;
    const selection = { failedOrders: [...this.failedOrders], limit: postedMax };
    const found = await context.database.read(noAccounts, (sql) =>
      findRequestedChanges(sql, wave.warehouseNo, selection),
    );
    return nextToPost(found, { postedMax, aloneAfter: isolatedAfterFailures });
  }

  private async post(posted: PostedChanges): Promise<Progress> {
    const { wave, context, lease } = this.running;
    const { changes } = posted;
    const { connector, warehouseNo } = wave;
    const url = connector.type === 'http' ? connector.changes_url : undefined;
    const revoked = await lease.transaction(posted.accountId, (tx) => whyRevoked(tx, wave, context.rules));
    if (revoked) return stopOf(revoked);
    const replaced = changes.filter(({ changesUrl }) => changesUrl !== url);
    if (url === undefined || replaced.length > 0)
      return await this.record({ ...posted, changes: replaced }, all(replaced, reasonOf(url !== undefined)));

    const batchId = randomUUID();
    const body = context.formatChanges({ batchId, warehouseNo, sentAt: context.clock.now(), changes });
    if (changes.length > 1 && Buffer.byteLength(body) > context.rules.bodyMaxBytes)
      return await this.postHalves(posted);

    const recipients = await this.recipientsOf(posted);
    const response = await postToWarehouse({ batchId, body, url }, wave, lease, context);
    if (response === null) return { kind: 'lost' };
    const redact = makeRedact(recipients);
    const verdict = verdictOn(response, changes.length, { isIsolating: false, redact, idField: 'change_id' });
    switch (verdict.kind) {
      case 'accepted':
        return await this.record(posted, verdict.rejected);
      case 'rejected':
        return await this.record(posted, all(changes, verdict.reason));
      case 'too_many':
        return await this.postHalves(posted);
      case 'blocked':
      case 'again':
        return await this.noteFailure(posted, verdict.why, { isAnswered: response.kind === 'answered' });
      default:
        return verdict satisfies never;
    }
  }

  /** The response may name any of them, also when the change is not about the recipient. */
  private async recipientsOf({ accountId, changes }: PostedChanges): Promise<Recipient[]> {
    const { database } = this.running.context;
    const recipients = await database.read([accountId], (sql) => findAllRecipients(sql, changes));
    return [...recipients.values()].flat();
  }

  /** The older half goes first. */
  private async postHalves({ accountId, changes }: PostedChanges): Promise<Progress> {
    const middle = Math.ceil(changes.length / 2);
    const progress = await this.post({ accountId, changes: changes.slice(0, middle) });
    return progress === 'goes_on' ? await this.post({ accountId, changes: changes.slice(middle) }) : progress;
  }

  private async record(posted: PostedChanges, refused: ReadonlyMap<string, Message>): Promise<Progress> {
    const { wave, context, lease } = this.running;
    const recorded = await lease.transaction(posted.accountId, (tx) =>
      recordAnswers(tx, wave, posted, refused, context.rules),
    );
    if (recorded.kind === 'lost') return recorded;
    const { made, refused: refusals } = recorded;
    context.log.info(
      { warehouse_no: wave.warehouseNo, made, refused: refusals },
      'a warehouse answered requests to change orders',
    );
    return 'goes_on';
  }

  private async noteFailure(
    posted: PostedChanges,
    why: Message,
    { isAnswered }: { isAnswered: boolean },
  ): Promise<Progress> {
    const { wave, context, lease } = this.running;
    const noted = await lease.transaction(posted.accountId, (tx) =>
      recordUnanswered(tx, wave, posted, why, context.rules),
    );
    if (noted.kind === 'lost') return noted;
    const { changes } = posted;
    context.log.warn(
      { warehouse_no: wave.warehouseNo, changes: changes.length, why: formatMessage(why) },
      'a warehouse did not answer requests to change orders; the next wave asks again',
    );
    for (const { orderId } of changes) this.failedOrders.add(orderId);
    this.failedPosts += 1;
    const isOnlyThisOrder = isAnswered && changes.length === 1 && this.failedPosts < context.rules.blockedMax;
    return isOnlyThisOrder ? 'goes_on' : 'failed';
  }
}

function all(changes: RequestedChange[], reason: Message): Map<string, Message> {
  return new Map(changes.map(({ requestId }) => [requestId, reason]));
}
