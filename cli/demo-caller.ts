import { exitCodes, Failure } from '../server/command-line.ts';
import { cutShort } from './demo-layout.ts';
import { signedHeaders } from './sign.ts';

// biome-ignore lint/suspicious/noExplicitAny: what comes back is compared with what is expected, whatever it is.
export type Json = any;

export interface Exchange {
  path: string;
  /** Those that matter, with secrets cut short. */
  headers: Record<string, string>;
  body: unknown;
  status: number;
  answer: Json;
}

/** Somebody who may call one of the contracts. */
export type Caller = (path: string, body: unknown) => Promise<Exchange>;

const answerWithinSeconds = 30;

/** Signs each request with the secret that it shares with the service. */
export function warehouseCaller(url: string, accountNo: string, secret: string): Caller {
  return (path, body) => {
    const headers = signedHeaders(accountNo, secret, Buffer.from(JSON.stringify(body)));
    return post(url, `/warehouse/v1${path}`, body, headers, { ...headers, sign: cutShort(headers.sign!) });
  };
}

export function logisticsCaller(url: string, key: string): Caller {
  return (path, body) => post(url, `/logistics${path}`, body, { authorization: key }, { authorization: cutShort(key) });
}

export function mainCaller(url: string, token: string): Caller {
  const bearer = (shown: string) => ({ authorization: `Bearer ${shown}` });
  return (path, body) => post(url, `/api/v2/default${path}`, body, bearer(token), bearer(cutShort(token)));
}

/** Shows itself to get a token. */
export function strangerCaller(url: string): Caller {
  return (path, body) => post(url, path, body, {}, {});
}

/** A token, without telling of it. */
export async function tokenFor(url: string, clientId: string, checkValue: string): Promise<string> {
  const { answer } = await strangerCaller(url)('/api/v1/token/getToken', { ClientId: clientId, CheckValue: checkValue });
  if (!answer.retval) throw new Failure(exitCodes.refused, `there was no token for ${clientId}: ${answer.msg}`);
  return answer.retval.access_token;
}

async function post(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
  shownHeaders: Record<string, string>,
): Promise<Exchange> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerWithinSeconds * 1000),
  }).catch((error: Error) => {
    throw new Failure(exitCodes.cannotRun, `no answer from the service of the demo (${error.message})`);
  });
  return { path, headers: shownHeaders, body, status: answer.status, answer: await answer.json() };
}
