import { formatTimeline } from '../server/api/main/format-timeline.ts';
import {
  findInboundHistory,
  findInboundsNamed,
  type InboundHistory,
} from '../server/domain/inbound/inbound-history-queries.ts';
import { makeCommand } from './command-line.ts';
import { callbackLines, formatCreation, formatFacts, formatSection, readHistory } from './document-history.ts';
import { storeCommand } from './store-command.ts';

/** `lading inbound`: shows an inbound document or a return. */
export function inboundCommand() {
  const group = makeCommand('inbound').description(
    'show an inbound document or a return: its lines, receipts and callbacks',
  );
  group.addCommand(showCommand());
  return group;
}

function showCommand() {
  return storeCommand(
    'show',
    'show all details of an inbound document or a return, including its history',
    async (store, _config, number: string, options: { account?: string }) => {
      const wanted = { word: 'inbound document', number, accountNo: options.account ?? null };
      const history = await readHistory(store.database, wanted, findInboundsNamed, (sql, { account_id, document_id }) =>
        findInboundHistory(sql, { accountId: account_id, inboundId: document_id }),
      );
      return { json: { ...history, timeline: formatTimeline(history.timeline) }, text: formatHistory(history) };
    },
  )
    .argument('<number>', "the partner's number for the document, or ours (si_...)")
    .option('--account <account_no>', 'only documents of this account');
}

function formatHistory(history: InboundHistory): string {
  const { kind, lines, lots, receipts, callbacks, timeline } = history;
  return [
    formatFacts([
      [kind, history.document_no],
      ['number', `${history.partner_number} (account ${history.account_no}, ${history.channel})`],
      ['internal', history.internal_form_no],
      ['status', history.status],
      ['warehouse', `${history.warehouse_no}, store ${history.store_no}`],
      ['receiving', `${history.receiving}, at most ${history.over_delivery_percent} % more than announced`],
      ['returns order', [history.original_order_number, history.orders_id].filter(Boolean).join(', ') || null],
      ['expected', history.estimated_arrival_at],
      ['created', formatCreation(history)],
      ['changed', history.updated_at],
    ]),
    formatSection('lines', lines, 'none'),
    formatSection('lots', lots, 'no goods received'),
    ...(receipts.length > 0 ? [formatSection('receipts', receipts, '')] : []),
    formatSection('callbacks', callbackLines(callbacks), 'none'),
    formatSection('timeline', formatTimeline(timeline), ''),
  ].join('\n');
}
