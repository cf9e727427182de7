import type { FastifyInstance } from 'fastify';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import { findDeliveredTest } from '../../domain/test-callbacks/test-callback-queries.ts';
import { isTourInbox, readReceivedHeaders, tourInboxesOf } from '../../domain/test-callbacks/tour-inbox.ts';
import { limitRate } from '../../http/mount-contract.ts';
import { makeRateLimit } from '../../platform/limits/rate-limit.ts';
import type { SharedCounts } from '../../platform/limits/shared-counts.ts';
import type { Database } from '../../platform/postgres/database.ts';

/** The page asks once a second. */
const readsPerMinute = 120;
const eventIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const accountNoLengthMax = 125;

export interface TourParts {
  database: Database;
  directory: AccountDirectory;
  publicUrl: string;
  counts: SharedCounts;
}

/**
 * Serves what has arrived in an inbox of the guided tour. Its random name is known only to the page that has made it,
 * and an inbox has only the callback that the page names. Without one, and for accounts that are not UAT, nothing is
 * there: the response does not tell them apart.
 */
export function mountTour(app: FastifyInstance, { database, directory, publicUrl, counts }: TourParts): void {
  const limit = makeRateLimit(readsPerMinute / 60, { name: 'tour inboxes', windowSeconds: 60, counts });
  app.get('/docs/tour/inbox/:name', async (request, reply) => {
    const { name } = request.params as { name: string };
    const { account_no: accountNo, event_id: eventId } = request.query as Record<string, unknown>;
    const url = tourInboxesOf(publicUrl) + name;
    reply.header('cache-control', 'no-store');
    if (!isTourInbox(url, publicUrl) || !isShortText(accountNo) || !isEventId(eventId)) return { callback: null };
    const account = await directory.find(accountNo);
    if (account?.environment !== 'uat') return { callback: null };
    limitRate(limit, account.accountNo);
    const { accountId } = account;
    const found = await database.read([accountId], (sql) => findDeliveredTest(sql, accountId, { eventId, url }));
    const headers = found && readReceivedHeaders(found.response ?? '');
    return { callback: found && headers && { headers, body: found.body } };
  });
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= accountNoLengthMax;
}

function isEventId(value: unknown): value is string {
  return typeof value === 'string' && eventIdForm.test(value);
}
