import { sending } from '../../../messages/sending-texts.ts';
import { hostOf } from './address-guard.ts';
import { type Failure, failure, hasFailed } from './receiver-response.ts';

/** Where a request goes, read from its URL. */
export interface Target {
  origin: string;
  host: string;
  port: number;
  path: string;
  secure: boolean;
}

/** Whether a request to this URL is possible at all; the IP address is checked when connecting. */
export function isPostAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && !hasFailed(readTarget(text));
}

export function readTarget(text: string): Target | Failure {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return failure(sending('not_http_url'), null);
  if (url.username !== '' || url.password !== '') return failure(sending('credentials_in_url'), null);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  return { origin: url.origin, host: hostOf(url), port, path: url.pathname + url.search, secure };
}
