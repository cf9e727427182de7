import { isIP, connect as openSocket, type Socket } from 'node:net';
import { createSecureContext, connect as openTls, type SecureContext } from 'node:tls';
import type { Message } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import type { AddressGuard } from './address-guard.ts';
import { type Connection, makeConnections } from './connection.ts';
import {
  type Answer,
  AnswerReader,
  addressRefused,
  answerOf,
  connectionGone,
  endedEarly,
  type Failure,
  failure,
  hasFailed,
  nameUnresolved,
  reasonOf,
} from './receiver-response.ts';
import { resolveName } from './resolve-name.ts';
import { readTarget, type Target } from './target.ts';

/**
 * Sends POST requests to URLs chosen by partners. It trusts neither the host name nor the response, and always meets
 * its deadline.
 */
export interface OutgoingHttp {
  /** Never rejects. Sends at most once; after a failure, it is unknown whether the request arrived. */
  post(request: PostRequest): Promise<PostOutcome>;
  /** Ends requests in progress: they fail, or return the part of the response that has arrived. */
  close(): Promise<void>;
}

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** For traces: the kind of request, and the `traceparent` of its cause. */
  purpose: 'callback' | 'wave' | 'alert';
  causedBy?: string | null;
  /** The deadline for everything: name resolution, connection, response and body. */
  deadlineMs: number;
}

export type PostOutcome = (Answer | Failure) & { durationMs: number };

interface OutgoingHttpOptions {
  guard: AddressGuard;
  /** Returns all addresses of a name, the preferred one first. */
  resolve?: (hostname: string) => Promise<string[]>;
  /** The maximum number of idle connections; the caller limits the number of busy ones. */
  idleConnectionsMax?: number;
  /** CA certificates to trust instead of the default ones. */
  ca?: string;
}

const connectTimeoutMs = 5000;
const addressesTriedMax = 8;

export function makeOutgoingHttp({
  guard,
  resolve = resolveName,
  idleConnectionsMax = 256,
  ca,
}: OutgoingHttpOptions): OutgoingHttp {
  const lookUp = shareRunning(resolve);
  const connections = makeConnections(idleConnectionsMax);
  const running = new Set<Attempt>();
  let secureContext: SecureContext | undefined;
  let closed = false;

  async function send(request: PostRequest, attempt: Attempt): Promise<Answer | Failure> {
    if (closed) return failure(sending('stopped'), null);
    const target = readTarget(request.url);
    if (hasFailed(target)) return target;

    for (let kept = connections.take(target.origin); kept; kept = connections.take(target.origin)) {
      const result = await exchange(kept, target.path, request, attempt);
      if (result.kind !== 'not_sent') return result;
    }
    const opened = await open(target, attempt);
    if (hasFailed(opened)) return opened;
    const result = await exchange(opened, target.path, request, attempt);
    return result.kind === 'not_sent' ? failure(sending('connection_reset'), opened.address) : result;
  }

  async function open(target: Target, attempt: Attempt): Promise<Connection | Failure> {
    const addresses = isIP(target.host) === 0 ? await addressesOf(target.host, lookUp, attempt) : [target.host];
    if (hasFailed(addresses)) return addresses;
    if (addresses.length === 0) return failure(nameUnresolved, null);
    const refused = addresses.find((address) => !guard.isAllowed(address));
    if (refused !== undefined) return failure(addressRefused(refused), null);

    const socket = await dialFirst(addresses.slice(0, addressesTriedMax), target.port, attempt);
    if (hasFailed(socket)) return socket;
    const address = socket.remoteAddress ?? null;
    if (address === null || !guard.isAllowed(address)) {
      socket.destroy();
      return failure(address === null ? sending('connection_reset') : addressRefused(address), address);
    }
    if (!target.secure) return connections.add(target.origin, address, socket);

    secureContext ??= createSecureContext(ca === undefined ? {} : { ca });
    const secured = await secure(socket, target.host, secureContext, address, attempt);
    return hasFailed(secured) ? secured : connections.add(target.origin, address, secured);
  }

  function exchange(
    connection: Connection,
    path: string,
    request: PostRequest,
    attempt: Attempt,
  ): Promise<Answer | Failure | NotSent> {
    return new Promise((settle) => {
      let settled = false;
      const answer = new AnswerReader((error) => {
        if (settled) return;
        settled = true;
        if (error) connections.drop(connection);
        else connections.keep(connection);
        if (answer.status > 0) settle(answerOf(answer, connection.address));
        else if (error === connectionGone && !answer.requested) settle(notSent);
        else settle(failure(attempt.endedBy ?? reasonOf(error), connection.address));
      });
      connection.expectAnswer();
      connection.client.dispatch({ method: 'POST', path, headers: request.headers, body: request.body }, answer);
      whenEnded(attempt, () => answer.onEnd(endedEarly));
    });
  }

  return {
    async post(request) {
      const startedMs = performance.now();
      const attempt: Attempt = { endedBy: null, giveUp: null };
      const timer = setTimeout(end, request.deadlineMs, attempt, timedOutAfter(request.deadlineMs));
      running.add(attempt);
      let result: Answer | Failure;
      try {
        result = await send(request, attempt);
      } catch (error) {
        result = failure(reasonOf(error), null);
      }
      clearTimeout(timer);
      running.delete(attempt);
      return { ...result, durationMs: Math.round(performance.now() - startedMs) };
    },
    async close() {
      closed = true;
      for (const attempt of running) end(attempt, sending('stopped'));
      await connections.close();
    },
  };
}

/** The state of one request. */
interface Attempt {
  /** Why the request was ended early. */
  endedBy: Message | null;
  /** Ends the current step. */
  giveUp: (() => void) | null;
}

function end(attempt: Attempt, why: Message): void {
  attempt.endedBy = why;
  attempt.giveUp?.();
}

function whenEnded(attempt: Attempt, giveUp: () => void): void {
  attempt.giveUp = giveUp;
  if (attempt.endedBy !== null) giveUp();
}

interface NotSent {
  kind: 'not_sent';
}
const notSent: NotSent = { kind: 'not_sent' };

function timedOutAfter(deadlineMs: number): Message {
  return sending('timed_out', { seconds: deadlineMs / 1000 });
}

/** Concurrent requests to the same name share one lookup. */
function shareRunning(resolve: (hostname: string) => Promise<string[]>): (hostname: string) => Promise<string[]> {
  const running = new Map<string, Promise<string[]>>();

  return (hostname) => {
    const waitedFor = running.get(hostname);
    if (waitedFor) return waitedFor;
    const found = (async () => resolve(hostname))();
    const forget = () => running.delete(hostname);
    running.set(hostname, found);
    found.then(forget, forget);
    return found;
  };
}

function addressesOf(
  host: string,
  lookUp: (hostname: string) => Promise<string[]>,
  attempt: Attempt,
): Promise<string[] | Failure> {
  return new Promise((settle) => {
    whenEnded(attempt, () => settle(failure(attempt.endedBy!, null)));
    lookUp(host).then(settle, (error) => settle(failure(reasonOf(error), null)));
  });
}

async function dialFirst(addresses: string[], port: number, attempt: Attempt): Promise<Socket | Failure> {
  let last = failure(nameUnresolved, null);
  for (const address of addresses) {
    const dialled = await dial(address, port, attempt);
    if (!hasFailed(dialled)) return dialled;
    last = dialled;
    if (attempt.endedBy !== null) break;
  }
  return last;
}

function dial(address: string, port: number, attempt: Attempt): Promise<Socket | Failure> {
  return new Promise((settle) => {
    const socket = openSocket({ host: address, port, noDelay: true });
    const fail = (error: Message) => {
      socket.destroy();
      settle(failure(error, address));
    };
    socket.setTimeout(connectTimeoutMs, () => fail(sending('no_connection', { seconds: connectTimeoutMs / 1000 })));
    socket.on('error', (error) => fail(reasonOf(error)));
    socket.once('connect', () => {
      socket.setTimeout(0);
      settle(socket);
    });
    whenEnded(attempt, () => fail(attempt.endedBy!));
  });
}

/** The certificate must match the host of the URL, even if the environment allows unauthorized certificates. */
function secure(
  socket: Socket,
  host: string,
  secureContext: SecureContext,
  address: string,
  attempt: Attempt,
): Promise<Socket | Failure> {
  return new Promise((settle) => {
    const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : '';
    const secured = openTls({
      socket,
      host,
      servername,
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    const fail = (error: Message) => {
      secured.destroy();
      settle(failure(error, address));
    };
    secured.on('error', (error) => fail(reasonOf(error, 'TLS')));
    secured.once('secureConnect', () => settle(secured));
    whenEnded(attempt, () => fail(attempt.endedBy!));
  });
}
