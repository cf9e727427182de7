import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isUniqueViolation } from '../../platform/postgres/errors.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { FormatCallback } from '../callbacks/callback.ts';
import { oweCallbacks } from '../callbacks/owed-callback-queries.ts';
import { distinctLotKeys } from '../stock/lot.ts';
import type { Cause } from '../stock/movement.ts';
import { lockLotsByKey, recordMovements, takeLotIds } from '../stock/stock-queries.ts';
import { type DueForm, findDueForms, findFormLines, firstDue, uatAccountsWithKeys } from './due-form-queries.ts';
import { findFormNotifications } from './form-notifications.ts';
import { inboundAfter } from './inbound-document.ts';
import {
  inboundsByAccount,
  type LockedInbound,
  lockInboundsByName,
  moveInbounds,
  unitsBroughtBy,
} from './inbound-queries.ts';
import { type AnnouncedLine, type ArrivedLot, progressOfLines } from './line-progress.ts';
import { type Arriving, makeReceipts } from './receipts.ts';

interface Parts {
  database: Database;
  clock: Clock;
  formatCallback: FormatCallback;
}

const cause: Cause = { actor: 'receive_forms', traceId: null };
const accountsAtOnce = 100;
const formsAtOnce = 100;

/**
 * Receives the remaining units of forms whose time has come. Any number of nodes may run it side by side: the form is
 * locked, and its state decides.
 */
export async function receiveDueForms(
  parts: Parts,
  stopping: AbortSignal,
): Promise<{ received: number; left: number }> {
  const { database, clock } = parts;
  const accountIds = await database.read(noAccounts, uatAccountsWithKeys);
  const now = clock.now();
  const count = { received: 0, left: 0 };
  for (let start = 0; start < accountIds.length; start += accountsAtOnce) {
    const some = accountIds.slice(start, start + accountsAtOnce);
    const pages = await database.read(some, (sql) =>
      Promise.all(some.map((accountId) => findDueForms(sql, firstDue(accountId), now, formsAtOnce))),
    );
    for (const firstPage of pages) {
      for await (const form of formsFrom(database, firstPage, now)) {
        if (stopping.aborted) return count;
        const isReceived = await database
          .transaction([form.accountId], (tx) => receiveRest(tx, form, parts))
          .catch(leaveToNextRun);
        count[isReceived ? 'received' : 'left']++;
      }
    }
  }
  return count;
}

/** Another document has just created one of the lots; the next run finds it. */
function leaveToNextRun(error: unknown): false {
  if (isUniqueViolation(error)) return false;
  throw error;
}

/** The forms of this page, and of the following pages of its account. */
async function* formsFrom(database: Database, firstPage: DueForm[], now: Date): AsyncGenerator<DueForm, undefined> {
  let page = firstPage;
  yield* page;
  while (page.length === formsAtOnce) {
    const beyond = page.at(-1)!;
    page = await database.read([beyond.accountId], (sql) => findDueForms(sql, beyond, now, formsAtOnce));
    yield* page;
  }
}

/** False if the form was received, stopped or cancelled meanwhile, or if its lots are full. */
async function receiveRest(
  tx: Tx,
  { accountId, partnerNumber }: DueForm,
  { clock, formatCallback }: Parts,
): Promise<boolean> {
  const [document] = await lockInboundsByName(tx, [{ accountId, partnerNumber, isLogistics: true }]);
  const status = document ? inboundAfter(document.status, 'complete') : null;
  if (!document || status === null) return false;
  const itself = inboundsByAccount([document]);
  const [lines, brought, notifications] = await Promise.all([
    findFormLines(tx, document),
    unitsBroughtBy(tx, itself),
    findFormNotifications(tx, itself),
  ]);
  const arrived = brought.map((units) => ({ ...units, units: units.qty }));
  const rest = restOf(document, lines, arrived);
  const keys = distinctLotKeys(rest.map(({ lot }) => lot));
  const [lots, lotIds] = await Promise.all([lockLotsByKey(tx, keys), takeLotIds(tx, keys.length)]);

  const receipts = makeReceipts(lots, lotIds);
  if (receipts.firstOverfull(rest)) return false;
  receipts.receive({ ...document, cause }, rest);
  const all = [...brought, ...rest.map(({ skuId, qty, lot }) => ({ ...lot, skuId, qty }))];
  const owed = notifications.callbackFor(
    { ...document, status, arrived: all },
    { now: clock.now(), format: formatCallback },
  );

  await Promise.all([
    moveInbounds(tx, [{ ...document, event: 'complete', cause }]),
    ...(receipts.movements.length > 0 ? [recordMovements(tx, receipts.movements, receipts.newLots)] : []),
    ...(owed.length > 0 ? oweCallbacks(tx, owed) : []),
  ]);
  return true;
}

/** The announced units that have not arrived, line by line. They arrive as good, also those of returns. */
export function restOf(
  { accountId, warehouseNo }: Pick<LockedInbound, 'accountId' | 'warehouseNo'>,
  lines: (AnnouncedLine & { productId: number })[],
  arrived: ArrivedLot[],
): Arriving[] {
  return progressOfLines(lines, arrived).flatMap(({ missing }, lineIndex) => {
    const { skuId, productId, batchId, expireDate } = lines[lineIndex]!;
    const lot = { accountId, productId, warehouseNo, stockType: 'good' as const, batchId, expireDate };
    return missing === 0 ? [] : [{ lineIndex, skuId, qty: missing, lot }];
  });
}
