import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

/** The lists that can be exported. `movements` are those of one lot. */
export const exportLists = [
  'orders',
  'inbound',
  'products',
  'stock',
  'skus',
  'movements',
  'counts',
  'callbacks',
  'receivers',
  'requests',
  'request-errors',
  'accounts',
  'clients',
  'keys',
  'warehouses',
  'stores',
  'operators',
  'alert-history',
  'audit-log',
  'trend-days',
  'trend-accounts',
  'trend-warehouses',
  'trend-carriers',
  'trend-expiry',
  'trend-receivers',
  'trend-callers',
] as const;
export type ExportList = (typeof exportLists)[number];

export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const exportLanguages = ['en', 'zh-TW'] as const;
export type ExportLanguage = (typeof exportLanguages)[number];

/**
 * A list as a file, of any length. The response is not JSON but the file. With `progress` it is cut into frames: the
 * number of bytes and the number of rows so far, each with four bytes (big endian), then the bytes. A frame without
 * bytes only has the number of rows. After the last frame, `exportEnd` takes the place of the number of bytes.
 */
export const exportFile = consoleCall<never>()(
  '/exports/file',
  record({
    list: Type.Enum([...exportLists]),
    format: Type.Enum([...exportFormats]),
    language: Type.Enum([...exportLanguages]),
    /** The body of the list's own call, without `page_size` and `cursor`. */
    filters: Type.Object({}, { additionalProperties: true }),
    /** Orders and inbound documents: a row for each line instead of one for each document. */
    lines: Type.Optional(Type.Boolean()),
    /** Orders: with the recipients. Only for administrators. */
    recipients: Type.Optional(Type.Boolean()),
    progress: Type.Optional(Type.Boolean()),
  }),
);

export const exportEnd = 0xffffffff;
