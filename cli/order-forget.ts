import { createInterface } from 'node:readline/promises';
import { findOrdersNamed } from '../server/domain/orders/order-history-queries.ts';
import { type ForgetOrderOutcome, forgetOrder } from '../server/domain/recipients/forget-order.ts';
import { taipeiInstant } from '../server/platform/clock.ts';
import { exitCodes, Failure } from './command-line.ts';
import { readHistory } from './document-history.ts';
import { recorded } from './record-command.ts';
import { storeCommand } from './store-command.ts';

/** `lading order forget NUMBER`: erases the recipient of an order that has ended. */
export function forgetCommand() {
  return storeCommand(
    'forget',
    'erase the recipient of an order that has ended, with everything else about the person; this cannot be undone',
    async (store, _config, number: string, options: { account?: string; yes?: boolean }) => {
      const wanted = { word: 'order', number, accountNo: options.account ?? null };
      const order = await readHistory(store.database, wanted, findOrdersNamed, async (_sql, found) => found);
      const { account_id: accountId, document_id: orderId, account_no: accountNo, document_no } = order;
      if (!options.yes) await confirm(`${document_no} of account ${accountNo}`);
      const outcome = await recorded(store.database, { action: 'orders/forget', orderId, accountNo }, () =>
        store.database.transaction([accountId], (tx) => forgetOrder(tx, store.keyring, { accountId, orderId })),
      );
      const refusal = formatRefusal(outcome, document_no);
      if (refusal !== null) throw new Failure(exitCodes.refused, refusal);
      const before = outcome.kind === 'already' ? taipeiInstant(outcome.erasedAt) : null;
      return {
        json: { order_no: document_no, account_no: accountNo, kind: outcome.kind, erased_before: before },
        text: before === null ? `erased the recipient of ${document_no}` : `the recipient was erased on ${before}`,
      };
    },
  )
    .argument('<number>', "the partner's number for the order, or ours (ow_...)")
    .option('--account <account_no>', 'only orders of this account')
    .option('--yes', 'do not ask for confirmation');
}

async function confirm(what: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Failure(exitCodes.wrongUsage, 'erasing cannot be undone; confirm it with --yes (nobody can answer here)');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Erase the recipient of ${what}? This cannot be undone. [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure(exitCodes.refused, 'nothing was erased');
  } finally {
    terminal.close();
  }
}

/** null: the recipient is erased. */
function formatRefusal(outcome: ForgetOrderOutcome, orderNo: string): string | null {
  switch (outcome.kind) {
    case 'erased':
    case 'already':
      return null;
    case 'not_found':
      return `there is no order ${orderNo}`;
    case 'not_ended':
      return `${orderNo} has not ended: its status is ${outcome.status}. Only the recipient of a shipped, arrived, delivered, undelivered or cancelled order can be erased`;
    case 'callbacks_pending':
      return `${outcome.count} callback${outcome.count === 1 ? '' : 's'} of ${orderNo} must be delivered first; a callback fails after 31 hours at the latest, unless its receiver is paused`;
    default:
      return outcome satisfies never;
  }
}
