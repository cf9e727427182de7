import { wordTimeline } from '../server/api/main/word-timeline.ts';
import { makeCommand } from '../server/command-line.ts';
import {
  findOrderStory,
  findOrdersNamed,
  findRecipient,
  type OrderStory,
  type Recipient,
} from '../server/domain/timeline/document-story-queries.ts';
import { callbackLines, readStory, wordFacts, wordMaking, wordSection } from './document-story.ts';
import { storeCommand } from './store-command.ts';

/** `lading order`: what became of an order. */
export function orderCommand() {
  const group = makeCommand('order').description('show an order: its lines, its stock, its way and its callbacks');
  group.addCommand(showCommand());
  return group;
}

function showCommand() {
  return storeCommand(
    'show',
    'show all that is known of an order, and what happened to it',
    async (store, _config, number: string, options: { account?: string; withRecipient?: boolean }) => {
      const wanted = { word: 'order', number, accountNo: options.account ?? null };
      const { recipient, ...story } = await readStory(store.database, wanted, findOrdersNamed, async (sql, orderId) => {
        const order = await findOrderStory(sql, orderId);
        return order && { ...order, recipient: options.withRecipient ? await findRecipient(sql, orderId) : null };
      });
      const json = { ...story, ...(recipient ? { recipient } : {}), timeline: wordTimeline(story.timeline) };
      return { json, words: wordStory(story, recipient) };
    },
  )
    .argument('<number>', "the partner's number of it, or ours (ow_...)")
    .option('--account <account_no>', 'of this account only')
    .option('--with-recipient', 'also who it goes to: personal details');
}

function wordStory(story: OrderStory, recipient: Recipient | null): string {
  const { transfer, lines, lots, callbacks, timeline } = story;
  return [
    wordFacts([
      ['order', story.document_no],
      ['number', `${story.partner_number} (account ${story.account_no}, ${story.channel})`],
      ['shop order', story.name],
      ['status', story.status],
      ['warehouse', `${story.warehouse_no}, store ${story.store_no}`],
      ['sent by', story.logistics_type && `${story.logistics_type} ${story.express_type}`],
      ['shipment', story.shipment_no && [story.shipment_no, story.carrier].filter(Boolean).join(', ')],
      ['made', wordMaking(story)],
      ['changed', story.updated_at],
      ['transfer', transfer && wordTransfer(transfer, story.status)],
      ...wordRecipient(recipient),
    ]),
    wordSection('lines', lines, 'none'),
    wordSection('lots', lots, 'it holds nothing'),
    wordSection('callbacks', callbackLines(callbacks), 'none'),
    wordSection('timeline', wordTimeline(timeline), ''),
  ].join('\n');
}

/** How it stands matters while it is under way; afterwards the timeline tells. */
function wordTransfer({ status, attempts, reason, note, transfer_id }: NonNullable<OrderStory['transfer']>, orderStatus: string): string {
  const tries = attempts === 0 ? null : `${attempts} ${attempts === 1 ? 'try' : 'tries'}`;
  const isUnderWay = orderStatus === 'pending_warehouse_transfer';
  return [transfer_id, isUnderWay ? status : null, tries, isUnderWay ? reason : null, note].filter(Boolean).join('; ');
}

function wordRecipient(recipient: Recipient | null): [label: string, value: unknown][] {
  if (!recipient) return [];
  const { name, phone, customer_name, country, zip, city, address, note, store_pickup_label_data } = recipient;
  return [
    ['recipient', [name, phone].filter(Boolean).join(', ') || null],
    ['address', [country, zip, city, address].filter(Boolean).join(' ') || null],
    ['customer', customer_name],
    ['note', note],
    ['label', store_pickup_label_data && JSON.stringify(store_pickup_label_data)],
  ];
}
