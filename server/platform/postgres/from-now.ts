import { type Fragment, fragment } from './sql.ts';

/**
 * `now() + interval`, for an interval that differs from row to row. Without the time zone, the sum depends on no setting;
 * otherwise Citus refuses it in an update.
 */
export function fromNow(interval: Fragment): Fragment {
  return fragment`(now() at time zone 'UTC' + ${interval}) at time zone 'UTC'`;
}
