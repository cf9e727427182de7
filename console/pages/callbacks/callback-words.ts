import type { CappedCount, Redelivered } from '../../../contract/console/callbacks.ts';
import type { SameWords } from '../../kit/define-words.ts';
import { formatNumber } from '../../kit/number.ts';
import type { words } from './words.ts';

export function formatHttpStatus(status: number): string {
  return `HTTP ${status}`;
}

/** Hides `https://`, which nearly all addresses begin with. */
export function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, '');
}

/** Shows a capped count as "12+". */
export function formatCapped({ count, is_capped }: CappedCount): string {
  return is_capped ? `${formatNumber(count)}+` : formatNumber(count);
}

/** Summarizes a redelivery: callbacks that were sent, and waiting ones by reason. */
export function formatRedelivered(
  counts: Pick<Redelivered, 'count' | 'held' | 'behind' | 'erased'>,
  say: SameWords<(typeof words)['en']>,
): string {
  const { count, held, behind, erased } = counts;
  const sent = count - held - behind;
  return [
    ...(sent > 0 || (count === 0 && erased === 0) ? [say.redelivered(formatNumber(sent))] : []),
    ...(held > 0 ? [say.redeliveredHeld(formatNumber(held))] : []),
    ...(behind > 0 ? [say.redeliveredBehind(formatNumber(behind))] : []),
    ...(erased > 0 ? [say.redeliveredErased(formatNumber(erased))] : []),
  ].join(say.listSeparator);
}
