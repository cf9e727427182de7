import { wordTimeline } from '../server/api/main/word-timeline.ts';
import { makeCommand } from '../server/command-line.ts';
import { findInboundStory, findInboundsNamed, type InboundStory } from '../server/domain/timeline/document-story-queries.ts';
import { callbackLines, readStory, wordFacts, wordMaking, wordSection } from './document-story.ts';
import { storeCommand } from './store-command.ts';

/** `lading inbound`: what became of an inbound document or a return. */
export function inboundCommand() {
  const group = makeCommand('inbound').description('show an inbound document or a return: its lines, what arrived, its callbacks');
  group.addCommand(showCommand());
  return group;
}

function showCommand() {
  return storeCommand(
    'show',
    'show all that is known of an inbound document or a return, and what happened to it',
    async (store, _config, number: string, options: { account?: string }) => {
      const wanted = { word: 'inbound document', number, accountNo: options.account ?? null };
      const story = await readStory(store.database, wanted, findInboundsNamed, findInboundStory);
      return { json: { ...story, timeline: wordTimeline(story.timeline) }, words: wordStory(story) };
    },
  )
    .argument('<number>', "the partner's number of it, or ours (si_...)")
    .option('--account <account_no>', 'of this account only');
}

function wordStory(story: InboundStory): string {
  const { kind, lines, lots, receipts, callbacks, timeline } = story;
  return [
    wordFacts([
      [kind, story.document_no],
      ['number', `${story.partner_number} (account ${story.account_no}, ${story.channel})`],
      ['internal', story.internal_form_no],
      ['status', story.status],
      ['warehouse', `${story.warehouse_no}, store ${story.store_no}`],
      ['receiving', `${story.receiving}, at most ${story.over_delivery_percent} % more than announced`],
      ['returns order', story.original_order_number],
      ['expected', story.estimated_arrival_at],
      ['made', wordMaking(story)],
      ['changed', story.updated_at],
    ]),
    wordSection('lines', lines, 'none'),
    wordSection('lots', lots, 'nothing has arrived'),
    ...(receipts.length > 0 ? [wordSection('receipts', receipts, '')] : []),
    wordSection('callbacks', callbackLines(callbacks), 'none'),
    wordSection('timeline', wordTimeline(timeline), ''),
  ].join('\n');
}
