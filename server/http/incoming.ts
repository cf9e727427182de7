import type { IncomingHttpHeaders } from 'node:http';
import type { RequestRecord } from './request-record.ts';

/** A request as the contracts see it, independent of the parser that read it. */
export interface Incoming {
  /** The trace id. */
  id: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The caller's address. */
  ip: string;
  record: RequestRecord;
}
