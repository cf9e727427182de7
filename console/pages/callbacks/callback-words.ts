import type { Redelivered } from '../../../contract/console/callback-redeliver.ts';
import type { CappedCount } from '../../../contract/console/receiver-list.ts';
import type { SameWords } from '../../kit/define-words.ts';
import { formatNumber } from '../../kit/number.ts';
import type { words } from './words.ts';

/** The same in both languages. */
export function wordHttpStatus(status: number): string {
  return `HTTP ${status}`;
}

/** Nearly all addresses begin alike. */
export function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '');
}

/** What was only counted in part is shown as "12+". */
export function wordCapped({ count, is_capped }: CappedCount): string {
  return is_capped ? `${formatNumber(count)}+` : formatNumber(count);
}

/** Only what is sent counts as sent: what has to wait is named by its reason. */
export function wordRedelivered(counts: Pick<Redelivered, 'count' | 'held' | 'behind'>, say: SameWords<(typeof words)['en']>): string {
  const { count, held, behind } = counts;
  const sent = count - held - behind;
  return [
    ...(sent > 0 || count === 0 ? [say.redelivered(formatNumber(sent))] : []),
    ...(held > 0 ? [say.redeliveredHeld(formatNumber(held))] : []),
    ...(behind > 0 ? [say.redeliveredBehind(formatNumber(behind))] : []),
  ].join(say.listSeparator);
}
