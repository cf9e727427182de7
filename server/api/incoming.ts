import type { IncomingHttpHeaders } from 'node:http';
import type { Call } from './call.ts';

/** A request as the contracts see it, whichever way it came in: by Fastify, or by the direct lane. */
export interface Incoming {
  /** Its trace id. */
  id: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** The caller's address. */
  ip: string;
  call: Call;
}
