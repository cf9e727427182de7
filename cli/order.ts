import { formatStored } from '../messages/format-message.ts';
import { formatOrderChange } from '../server/api/main/format-order-change.ts';
import { formatTimeline } from '../server/api/main/format-timeline.ts';
import { maskChange, recipientsIn } from '../server/domain/orders/former-recipients.ts';
import { maskRecipient } from '../server/domain/orders/mask-recipient.ts';
import {
  findOrderHistory,
  findOrdersNamed,
  findRecipient,
  type OrderHistory,
} from '../server/domain/orders/order-history-queries.ts';
import type { Recipient } from '../server/domain/orders/recipient.ts';
import { makeRedact } from '../server/domain/orders/redact-recipient.ts';
import { makeCommand } from './command-line.ts';
import { callbackLines, formatCreation, formatFacts, formatSection, readHistory } from './document-history.ts';
import { formatTime } from './look.ts';
import { holdCommand, releaseCommand, updateCommand } from './order-change.ts';
import { forgetCommand } from './order-forget.ts';
import { recorded } from './record-command.ts';
import { storeCommand } from './store-command.ts';

/** `lading order`: shows, changes, holds or releases an order, or erases its recipient. */
export function orderCommand() {
  const group = makeCommand('order').description('show, change, hold or release an order, or erase its recipient');
  group.addCommand(showCommand());
  group.addCommand(updateCommand());
  group.addCommand(holdCommand());
  group.addCommand(releaseCommand());
  group.addCommand(forgetCommand());
  return group;
}

function showCommand() {
  return storeCommand(
    'show',
    'show all details of an order, including its history',
    async (store, _config, number: string, options: { account?: string; showRecipient?: boolean }) => {
      const wanted = { word: 'order', number, accountNo: options.account ?? null };
      const { recipient, orderId, ...history } = await readHistory(
        store.database,
        wanted,
        findOrdersNamed,
        async (sql, { account_id: accountId, document_id: orderId }) => {
          const order = await findOrderHistory(sql, { accountId, orderId });
          if (!order) return null;
          const { transfer, returns } = order;
          return {
            ...order,
            transfer: transfer && { ...transfer, reason: formatStored(transfer.reason) },
            returns: returns.map(({ document_no, status }) => ({ stock_in_no: document_no, status })),
            orderId,
            recipient: await findRecipient(sql, { accountId, orderId }),
          };
        },
      );
      const { account_no: accountNo } = history;
      const viewed = { action: 'orders/view-recipient', orderId, accountNo };
      const shown = options.showRecipient
        ? (await recorded(store.database, viewed, async () => ({ kind: 'viewed', recipient }))).recipient
        : recipient && maskRecipient(recipient);
      const redact = makeRedact([recipient, ...recipientsIn(history.changes)]);
      const changes = history.changes
        .map((change) => (options.showRecipient ? change : maskChange(change, redact)))
        .map(formatOrderChange);
      const json = { ...history, changes, recipient: shown, timeline: formatTimeline(history.timeline) };
      return { json, text: formatHistory(history, shown, changes) };
    },
  )
    .argument('<number>', "the partner's number for the order, or ours (ow_...)")
    .option('--account <account_no>', 'only orders of this account')
    .option('--show-recipient', 'show the recipient unmasked; the audit log records it');
}

type ShownHistory = Omit<OrderHistory, 'returns'> & { returns: { stock_in_no: string; status: string }[] };

function formatHistory(history: ShownHistory, recipient: Recipient | null, changes: ShownChange[]): string {
  const { transfer, lines, lots, parcels, short, callbacks, timeline, returns } = history;
  return [
    formatFacts([
      ['order', history.document_no],
      ['number', `${history.partner_number} (account ${history.account_no}, ${history.channel})`],
      ['shop order', history.name],
      ['status', history.held ? `${history.status}, on hold` : history.status],
      ['warehouse', `${history.warehouse_no}, store ${history.store_no}`],
      ['sent by', history.logistics_type && `${history.logistics_type} ${history.express_type}`],
      ['not delivered', history.undelivered_reason],
      ['shipment', history.shipment_no && [history.shipment_no, history.carrier].filter(Boolean).join(', ')],
      ['created', formatCreation(history)],
      ['changed', history.updated_at],
      ['transfer', transfer && formatTransfer(transfer, history.status)],
      ['recipient', history.recipient_erased_at && `erased on ${formatTime(history.recipient_erased_at)}`],
      ...formatRecipient(recipient),
    ]),
    formatSection('lines', lines, 'none'),
    formatSection('lots', lots, 'no units allocated'),
    ...(parcels.length > 0 ? [formatSection('parcels', parcels.flatMap(parcelLines), '')] : []),
    ...(short.length > 0 ? [formatSection('short (ordered, but will not be shipped)', short, '')] : []),
    ...(returns.length > 0 ? [formatSection('returns', returns, '')] : []),
    ...(changes.length > 0 ? [formatSection('changes', changes.map(changeLine), '')] : []),
    formatSection('callbacks', callbackLines(callbacks), 'none'),
    formatSection('timeline', formatTimeline(timeline), ''),
  ].join('\n');
}

type ShownChange = ReturnType<typeof formatOrderChange>;

function changeLine({ kind, status, at, by, fields, old_values, new_values, reason, message }: ShownChange) {
  const values = (all: object | null) => (all === null ? '' : JSON.stringify(all));
  return {
    ...{ kind, status, at, by, fields: fields.join(', ') },
    ...{ old: values(old_values), new: values(new_values), reason: reason ?? '', message: message ?? '' },
  };
}

/** One line per product, batch and expiry date. */
function parcelLines({ shipment_no, carrier, shipped_at, items }: OrderHistory['parcels'][number]) {
  return items.map((item) => ({ shipment_no, carrier, shipped_at, ...item }));
}

/** Shown only while the transfer is in progress; afterwards the timeline contains it. */
function formatTransfer(
  { status, attempts, reason, note, transfer_id }: NonNullable<OrderHistory['transfer']>,
  orderStatus: string,
): string {
  const attempted = attempts === 0 ? null : `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const isUnderWay = orderStatus === 'pending_warehouse_transfer';
  return [transfer_id, isUnderWay ? status : null, attempted, isUnderWay ? reason : null, note]
    .filter(Boolean)
    .join('; ');
}

function formatRecipient(recipient: Recipient | null): [label: string, value: unknown][] {
  if (!recipient) return [];
  const { name, phone, customer_name, country, zip, city, address, note, store_pickup_label_data } = recipient;
  return [
    ['recipient', [name, phone].filter(Boolean).join(', ') || null],
    ['address', [country, zip, city, address].filter(Boolean).join(' ') || null],
    ['customer', customer_name || null],
    ['note', note],
    ['label', store_pickup_label_data && JSON.stringify(store_pickup_label_data)],
  ];
}
