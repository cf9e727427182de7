import { retvalOf } from './done-envelope.ts';
import { UnauthorizedError } from './errors.ts';
import { type ClientOptions, send } from './send.ts';
import type { TokenRetval } from './wire.ts';

export interface Credentials {
  clientId: string;
  /** The secret of the client; only sent to the token endpoint. */
  checkValue: string;
}

const marginMaxSeconds = 30;

/** Caches a token until it expires; concurrent callers share one renewal. */
export class AccessToken {
  readonly #options: ClientOptions & Credentials;
  #known: { token: string; renewAtMs: number } | null = null;
  #renewal: Promise<string> | null = null;

  constructor(options: ClientOptions & Credentials) {
    this.#options = options;
  }

  async current(signal?: AbortSignal): Promise<string> {
    if (this.#known && performance.now() < this.#known.renewAtMs) return this.#known.token;
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    return await unlessAborted(this.#renewal, signal);
  }

  /** Discards a token that the service rejected. A caller that notices this late must not discard a newer token. */
  forget(token: string): void {
    if (this.#known?.token === token) this.#known = null;
  }

  async #renew(): Promise<string> {
    const askedAtMs = performance.now();
    const body = { ClientId: this.#options.clientId, CheckValue: this.#options.checkValue };
    const call = { path: '/api/v1/token/getToken', body, headers: () => ({}), repeatable: true };
    const answer = await send(this.#options, call);
    // Wrong credentials are reported with HTTP 200.
    if (answer.status === 200 && answer.json?.done === false) {
      const { msg, errors } = answer.json;
      throw new UnauthorizedError(msg, { status: 200, code: null, trace_id: answer.trace_id, errors });
    }
    const { access_token: token, expires_in } = retvalOf<TokenRetval>(answer);
    const marginSeconds = Math.min(marginMaxSeconds, expires_in / 10);
    this.#known = { token, renewAtMs: askedAtMs + (expires_in - marginSeconds) * 1000 };
    return token;
  }
}

/** Stops waiting for one caller; the renewal continues for the others. */
async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await work;
  signal.throwIfAborted();
  return await new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
