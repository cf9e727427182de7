import type { orderRejectionReasons } from '../../../contract/console/orders.ts';
import type { Option } from '../../kit/filter-bar.tsx';
import { useLanguage } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useFormatMessage } from '../../kit/server-text.tsx';
import type { FilterValues } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import type { orderFilters } from './order-filters.ts';

/** The reasons for which orders were rejected, each with its number. They are loaded when the list shows rejected orders. */
export function useReasonOptions({ transfer, reason }: FilterValues<typeof orderFilters>): Option[] {
  const { language } = useLanguage();
  const format = useFormatMessage();
  const { answer } = useAsk<typeof orderRejectionReasons>(
    '/orders/rejection-reasons',
    {},
    { enabled: transfer === 'rejected' || reason !== '', topics: ['orders'] },
  );
  return (answer?.reasons ?? []).map(({ key, reason: text, count }) => ({
    value: key,
    label: `${typeof text === 'string' ? text : text ? (format?.(text, language) ?? '') : '–'} (${formatNumber(count)})`,
  }));
}
