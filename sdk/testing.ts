/** Helpers for the tests of your own code, without a service and without a network. */
import { hmac, toBase64 } from './hmac.ts';
import { keyOf } from './verify-callback.ts';
import type { CallbackBody, ErrorCode } from './wire.ts';

export interface SigningOptions {
  /** `whsec_...` */
  secret: string;
  /** The time of the signature; the current time by default. */
  now?: Date;
}

/** A callback as your receiver gets it: `fetch(url, { method: 'POST', ...(await signCallback(callback, { secret })) })`. */
export interface SignedCallback {
  headers: Record<string, string>;
  body: string;
}

/** Signs a callback as the service does. A changed body, an old `now` or another secret make an invalid one. */
export async function signCallback(
  callback: CallbackBody,
  { secret, now = new Date() }: SigningOptions,
): Promise<SignedCallback> {
  const body = JSON.stringify(callback);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = await hmac(keyOf(secret), `${callback.event_id}.${timestamp}.`, body);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': callback.event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${toBase64(signature)}`,
  };
  return { headers, body };
}

/** A request that a client has sent to the fake service. */
export interface FakeRequest {
  path: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it has sent.
  body: any;
}

export interface FakeRefusal {
  /** 400 by default. A 429 or 5xx is retried. */
  status?: number;
  code: ErrorCode;
  message: string;
  /** The field that is wrong, such as `details[0].qty`. */
  path?: string;
}

type FakeAnswer = (path: string) => Response;

/**
 * Stands in for the service: `new WarehouseClient({ url: 'https://lading.test', accountNo, secret, fetch: service.fetch })`.
 * It records requests, and answers them with what you have given it, in the envelope of their API. It checks neither
 * requests nor signatures: for that, use a UAT account.
 */
export class FakeService {
  readonly requests: FakeRequest[] = [];
  readonly #answers = new Map<string, FakeAnswer[]>();

  constructor() {
    this.answer('/token/getToken', { access_token: 'fake', token_type: 'Bearer', expires_in: 3600 });
  }

  /** Answers requests to a path that ends like this, such as `/outbound/create`. The last of several results stays. */
  answer(path: string, ...results: object[]): this {
    return this.#add(path, results.map(successOf));
  }

  /** Rejects requests to a path that ends like this, as the service does. */
  refuse(path: string, ...refusals: FakeRefusal[]): this {
    return this.#add(path, refusals.map(refusalOf));
  }

  /** Given to a client as its `fetch`. */
  readonly fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const body = parsed(await request.text());
    this.requests.push({ path: pathname, headers: Object.fromEntries(request.headers), body });
    const known = [...this.#answers].filter(([path]) => pathname.endsWith(path));
    const [, answers = []] = known.sort(([one], [other]) => other.length - one.length)[0] ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return (answer ?? refusalOf(unknownPath))(pathname);
  };

  #add(path: string, answers: FakeAnswer[]): this {
    this.#answers.set(path, answers);
    return this;
  }
}

const unknownPath: FakeRefusal = {
  status: 404,
  code: 'unknown_path',
  message: 'the fake service has no answer for it',
};
const traceId = '00000000-0000-7000-8000-000000000000';
/** All other paths, of the main API and of the logistics webhook, have the other envelope. */
const warehousePaths =
  /\/(product\/sync|inbound\/(create|return|cancel)|outbound\/(create|cancel)|stock\/query|diagnose)$/;

function successOf(result: object): FakeAnswer {
  return (path) =>
    warehousePaths.test(path)
      ? respond(200, {
          code: 'LST-TPW-2000',
          trace_id: traceId,
          message: 'success',
          success: true,
          data: { success: true, ...result },
        })
      : respond(200, { done: true, msg: 'success', retval: result });
}

function refusalOf({ status = 400, code, message, path: field = '' }: FakeRefusal): FakeAnswer {
  const errors = [{ code, path: field, message, doc_url: `/docs/errors/${code}` }];
  return (path) =>
    warehousePaths.test(path)
      ? respond(status, { code: 'PARAM_INVALID', trace_id: traceId, message, success: false, data: { errors } })
      : respond(status, { done: false, msg: message, retval: null, errors });
}

/** A diagnosis sends a text that may not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function respond(status: number, body: object): Response {
  return Response.json(body, { status, headers: { 'trace-id': traceId, 'retry-after': '0' } });
}
