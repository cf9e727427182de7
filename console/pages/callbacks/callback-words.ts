import type { CappedCount } from '../../../contract/console/receiver-list.ts';
import { formatNumber } from '../../kit/number.ts';

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
