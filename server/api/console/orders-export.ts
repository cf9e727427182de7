import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { consoleBasePath } from '../../../contract/console/console-call.ts';
import { exportRowsMax, OrderFilters, orderExportPath } from '../../../contract/console/orders.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { beginAction, finishAction } from '../../domain/operators/action-queries.ts';
import { type OperatorSession, roleSuffices } from '../../domain/operators/operator.ts';
import { keepSeenPosition } from '../../domain/operators/session-queries.ts';
import { type ListedOrder, listOrders } from '../../domain/orders/order-search-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { csvByteOrderMark, csvLine } from '../../platform/csv.ts';
import { makeChecker } from '../../platform/json/schema.ts';
import type { SharedCounts } from '../../platform/limits/shared-counts.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import type { Page, Search } from '../../platform/postgres/keyset-search.ts';
import type { Seen } from '../../platform/postgres/reads.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { refuseBeforeEnrolment, roleMissing, seenBy } from './console-contract.ts';
import { accountIdsOf, accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { refuseForeignOrigin, type SessionCookie } from './cookies.ts';
import { toListedOrder } from './listed-order.ts';
import { orderQuestion } from './orders.ts';
import { inOwnWarehouses } from './own-warehouses.ts';

const path = `${consoleBasePath}${orderExportPath}`;
const rowsAtOnce = 500;
/** Per node: exports read many pages and must not slow down the lists of others. */
const exportsAtOnceMax = 4;
const checkFilters = makeChecker(OrderFilters);

type Row = ReturnType<typeof toListedOrder>;
/** The export has no personal data; the page of an order shows it. */
const columns = [
  ...['account_no', 'order_no', 'partner_number', 'name', 'channel', 'status', 'held', 'warehouse_no', 'store_no'],
  ...[
    'logistics_type',
    'express_type',
    'shipment_no',
    'carrier',
    'line_count',
    'units',
    'transfer_status',
    'created_at',
    'updated_at',
  ],
] as (keyof Row)[];

/**
 * `GET /console/api/orders/export`: the list as a file, read page by page as the client receives it. The query ends when
 * the client disconnects.
 */
export function mountOrderExport(
  app: FastifyInstance,
  parts: ConsoleParts,
  { cookie, counts }: { cookie: SessionCookie; counts: SharedCounts },
): void {
  const ofNode = counts.level('exports');
  let underWay = 0;
  app.get(path, async (request, reply) => {
    const session = await admitted(request, parts, cookie);
    request.record.isAuthenticated = true;
    if (underWay + ofNode.others() >= exportsAtOnceMax)
      throw new ProblemError({ kind: 'rate_limited', retryAfterSeconds: 10, reason: reason('too_many_exports') });
    ofNode.set(++underWay);
    reply.raw.once('close', () => ofNode.set(--underWay));
    const filters = inOwnWarehouses({ session }, readFilters(request.url));
    const accountIds = await accountIdsOf(parts.directory, filters.accounts);
    const seen = seenBy(parts.reads, request, session);
    const question = await orderQuestion(parts.reads.for(seen), filters);
    const file = await openFile(request, parts, { session, seen, filters, search: { accountIds, ...question } });
    const stamp = taipeiInstant(parts.clock.now()).slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
    return await reply
      .header('content-disposition', `attachment; filename="orders-${stamp}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(file);
  });
}

async function admitted(
  request: FastifyRequest,
  { sessions }: ConsoleParts,
  cookie: SessionCookie,
): Promise<OperatorSession> {
  refuseForeignOrigin(request, cookie);
  const token = cookie.read(request);
  const session = token === null ? null : await sessions.find(token);
  if (session === null)
    throw new ProblemError({
      kind: 'unauthorized',
      reason: reason('no_session'),
      callerMessage: rejection('sign_in_first'),
    });
  refuseBeforeEnrolment(session);
  if (!roleSuffices(session.role, 'staff')) throw roleMissing('staff', session);
  return session;
}

const lists = new Set(['accounts', 'status', 'channel', 'warehouse_no']);
const numbers = new Set(['warehouse_no', 'store_no']);
const flags = new Set(['held']);

/** A query string only has texts; the contract says which fields are lists, numbers or flags. */
function readFilters(url: string): OrderFilters {
  const query = new URL(url, 'http://localhost').searchParams;
  const given = [...query].map(([name, text]) => {
    const read = (one: string) => {
      if (flags.has(name) && one === 'true') return true;
      return numbers.has(name) && /^\d{1,9}$/.test(one) ? Number(one) : one;
    };
    return [name, lists.has(name) ? text.split(',').map(read) : read(text)];
  });
  const checked = checkFilters(Object.fromEntries(given));
  if (checked.kind === 'mistakes') throw new ProblemError({ kind: 'invalid', mistakes: checked.mistakes });
  return checked.value;
}

interface Export {
  session: OperatorSession;
  seen: Seen;
  filters: OrderFilters;
  search: Pick<Search, 'accountIds' | 'filters' | 'sort'>;
}

/** The audit log has an entry before anything is read; its outcome is added at the end. */
async function openFile(
  request: FastifyRequest,
  parts: ConsoleParts,
  { session, seen, filters, search }: Export,
): Promise<Readable> {
  const { database, directory } = parts;
  const { username, role } = session;
  const line = {
    username,
    role,
    action: orderExportPath.slice(1),
    subject: null,
    accountNo: null,
    details: { ...filters },
  };
  const actionId = await database.transaction(noAccounts, (tx) =>
    beginAction(tx, { ...line, address: request.ip, traceId: request.id }),
  );
  const accountNoOf = accountNosOf(directory);

  async function* lines() {
    let count = 0;
    let isWhole = false;
    try {
      yield csvByteOrderMark + csvLine(columns);
      for await (const found of pagesOf(parts.reads.for(seen), search)) {
        count += found.length;
        const rows = found.map((order) => toListedOrder(order, accountNoOf));
        yield rows.map((row) => csvLine(columns.map((column) => row[column]))).join('');
      }
      isWhole = true;
    } finally {
      const outcome = `${isWhole ? 'exported' : 'stopped after'} ${count}`;
      const shown = parts.reads.textOf(seen);
      const finish = async (tx: Tx) => {
        await finishAction(tx, actionId, outcome);
        if (shown !== null) await keepSeenPosition(tx, session.sessionId, shown);
      };
      await database.transaction(noAccounts, finish).catch(() => {});
    }
  }

  return Readable.from(lines(), { objectMode: false });
}

async function* pagesOf(reads: Reader, search: Export['search']): AsyncGenerator<ListedOrder[]> {
  let left = exportRowsMax;
  let after: Search['after'] = null;
  do {
    const pageSize = Math.min(rowsAtOnce, left);
    const page: Page<ListedOrder> = await reads.read(search.accountIds, (sql) =>
      listOrders(sql, { ...search, pageSize, after }),
    );
    if (page.rows.length > 0) yield page.rows;
    left -= page.rows.length;
    after = page.next;
  } while (after !== null && left > 0);
}
