import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export interface PurgePreviewRow {
  account_no: string;
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
}

export type PurgePreviewed =
  | { kind: 'counted'; made_before: string; accounts: PurgePreviewRow[] }
  /** There is more than can be counted while somebody waits; `lading purge --dry-run` counts all of it. */
  | { kind: 'too_many'; made_before: string };

/** What a purge of UAT documents would take away; nothing is changed. */
export const systemPurgePreview = consoleCall<PurgePreviewed>()(
  '/system/purge-preview',
  record({ older_than_days: Type.Integer({ minimum: 0, maximum: 36_500 }) }),
);
