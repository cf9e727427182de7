import type { EventEmitter } from 'node:events';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { createSecureContext, connect as openTls, type SecureContext } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { type AddressGuard, hostOf } from './address-guard.ts';
import { resolveName } from './resolve-name.ts';

/** Posts to places that others name. It trusts neither the name nor the answer, and ends in time whatever the other side does. */
export interface OutgoingHttp {
  /** Never rejects. Sends at most once: whether a failed one has arrived is not known. */
  post(request: PostRequest): Promise<PostOutcome>;
  /** Posts under way end as failed, or as answered with what had come. */
  close(): Promise<void>;
}

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** For all of it: the name, the connection, the answer and its body. */
  deadlineMs: number;
}

export type PostOutcome = (Answer | Failure) & { durationMs: number };

interface Answer {
  kind: 'answered';
  status: number;
  /** The header as it came. */
  retryAfter: string | null;
  /** As much of the body as came in time, at most 16 KiB, as text without control characters. */
  response: string;
  address: string;
}

interface Failure {
  kind: 'failed';
  /** For people; names neither the URL nor what was sent. */
  error: string;
  /** The one dialled last; null when none was. */
  address: string | null;
}

interface OutgoingHttpOptions {
  guard: AddressGuard;
  /** All addresses of a name, the preferred one first. */
  resolve?: (hostname: string) => Promise<string[]>;
  /** How many are kept open for later posts; how many are busy is for the caller to bound. */
  idleConnectionsMax?: number;
  /** Trusted instead of the usual authorities. */
  ca?: string;
}

const responseMaxBytes = 16_384;
const headersMaxBytes = 16_384;
/** Reason phrases, chunk extensions and informational answers count here, which have no bound of their own. */
const answerMaxBytes = 262_144;
const retryAfterMaxLength = 100;
const connectTimeoutMs = 5000;
const addressesTriedMax = 8;
/** Shorter than what servers usually wait, so that few posts meet a connection that is just being closed. */
const idleMaxMs = 4000;
/** A busy connection is renewed now and then, so that a change of the name's addresses is followed. */
const connectionAgeMaxMs = 60_000;

export function makeOutgoingHttp({ guard, resolve = resolveName, idleConnectionsMax = 256, ca }: OutgoingHttpOptions): OutgoingHttp {
  const lookUp = shareRunning(resolve);
  const connections = makeConnections(idleConnectionsMax);
  const running = new Set<Attempt>();
  let secureContext: SecureContext | undefined;
  let closed = false;

  async function send(request: PostRequest, attempt: Attempt): Promise<Answer | Failure> {
    if (closed) return failure('stopped', null);
    const target = readTarget(request.url);
    if (hasFailed(target)) return target;

    for (let kept = connections.take(target.origin); kept; kept = connections.take(target.origin)) {
      const result = await exchange(kept, target.path, request, attempt);
      if (result.kind !== 'not_sent') return result;
    }
    const opened = await open(target, attempt);
    if (hasFailed(opened)) return opened;
    const result = await exchange(opened, target.path, request, attempt);
    return result.kind === 'not_sent' ? failure('connection reset', opened.address) : result;
  }

  async function open(target: Target, attempt: Attempt): Promise<Connection | Failure> {
    const addresses = isIP(target.host) === 0 ? await addressesOf(target.host, lookUp, attempt) : [target.host];
    if (hasFailed(addresses)) return addresses;
    if (addresses.length === 0) return failure('name does not resolve', null);
    const refused = addresses.find((address) => !guard.isAllowed(address));
    if (refused !== undefined) return failure(`address ${refused} is not allowed`, null);

    const socket = await dialFirst(addresses.slice(0, addressesTriedMax), target.port, attempt);
    if (hasFailed(socket)) return socket;
    const address = socket.remoteAddress ?? null;
    if (address === null || !guard.isAllowed(address)) {
      socket.destroy();
      return failure(address === null ? 'connection reset' : `address ${address} is not allowed`, address);
    }
    if (!target.secure) return connections.add(target.origin, address, socket);

    secureContext ??= createSecureContext(ca === undefined ? {} : { ca });
    const secured = await secure(socket, target.host, secureContext, address, attempt);
    return hasFailed(secured) ? secured : connections.add(target.origin, address, secured);
  }

  function exchange(connection: Connection, path: string, request: PostRequest, attempt: Attempt): Promise<Answer | Failure | NotSent> {
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
      const timer = setTimeout(end, request.deadlineMs, attempt, `timed out after ${request.deadlineMs / 1000} s`);
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
      for (const attempt of running) end(attempt, 'stopped');
      await connections.close();
    },
  };
}

/** One post, from its beginning to its end. */
interface Attempt {
  /** Why it ended before it was done. */
  endedBy: string | null;
  /** Ends what is under way at the moment. */
  giveUp: (() => void) | null;
}

function end(attempt: Attempt, why: string): void {
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

function failure(error: string, address: string | null): Failure {
  return { kind: 'failed', error, address };
}

function hasFailed(stage: object): stage is Failure {
  return 'kind' in stage && stage.kind === 'failed';
}

interface Target {
  origin: string;
  host: string;
  port: number;
  path: string;
  secure: boolean;
}

function readTarget(text: string): Target | Failure {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return failure('not an http(s) URL', null);
  if (url.username !== '' || url.password !== '') return failure('user name or password in the URL', null);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  return { origin: url.origin, host: hostOf(url), port, path: url.pathname + url.search, secure };
}

/** All posts to a slow name wait for one look-up of it. */
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

function addressesOf(host: string, lookUp: (hostname: string) => Promise<string[]>, attempt: Attempt): Promise<string[] | Failure> {
  return new Promise((settle) => {
    whenEnded(attempt, () => settle(failure(attempt.endedBy!, null)));
    lookUp(host).then(settle, (error) => settle(failure(reasonOf(error), null)));
  });
}

async function dialFirst(addresses: string[], port: number, attempt: Attempt): Promise<Socket | Failure> {
  let last = failure('name does not resolve', null);
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
    const fail = (error: string) => {
      socket.destroy();
      settle(failure(error, address));
    };
    socket.setTimeout(connectTimeoutMs, () => fail(`no connection within ${connectTimeoutMs / 1000} s`));
    socket.on('error', (error) => fail(reasonOf(error)));
    socket.once('connect', () => {
      socket.setTimeout(0);
      settle(socket);
    });
    whenEnded(attempt, () => fail(attempt.endedBy!));
  });
}

/** The certificate must be for the host of the URL, whatever the environment says about unauthorized ones. */
function secure(socket: Socket, host: string, secureContext: SecureContext, address: string, attempt: Attempt): Promise<Socket | Failure> {
  return new Promise((settle) => {
    const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : '';
    const secured = openTls({ socket, host, servername, secureContext, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] });
    const fail = (error: string) => {
      secured.destroy();
      settle(failure(error, address));
    };
    secured.on('error', (error) => fail(reasonOf(error, 'TLS')));
    secured.once('secureConnect', () => settle(secured));
    whenEnded(attempt, () => fail(attempt.endedBy!));
  });
}

interface Connection {
  origin: string;
  address: string;
  client: Client;
  socket: Socket;
  openedMs: number;
  expectAnswer(): void;
}

/** An idle one can be taken again, the one used last first, so that those too many grow old. */
function makeConnections(idleMax: number) {
  const idle = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();

  function forget(connection: Connection): void {
    if (!idle.delete(connection)) return;
    const others = idleByOrigin.get(connection.origin)!;
    if (others.length === 1) idleByOrigin.delete(connection.origin);
    else others.splice(others.indexOf(connection), 1);
  }

  function drop(connection: Connection): void {
    forget(connection);
    connection.client.destroy(() => {});
  }

  return {
    add(origin: string, address: string, socket: Socket): Connection {
      const expectAnswer = boundIntake(socket);
      const connection = { origin, address, client: clientOver(socket, origin), socket, openedMs: performance.now(), expectAnswer };
      socket.once('close', () => forget(connection));
      return connection;
    },
    take(origin: string): Connection | undefined {
      let connection: Connection | undefined;
      do {
        connection = idleByOrigin.get(origin)?.at(-1);
        if (connection) forget(connection);
      } while (connection?.socket.destroyed);
      return connection;
    },
    keep(connection: Connection): void {
      if (connection.socket.destroyed) return;
      if (performance.now() - connection.openedMs > connectionAgeMaxMs) {
        drop(connection);
        return;
      }
      idle.add(connection);
      const others = idleByOrigin.get(connection.origin);
      if (others) others.push(connection);
      else idleByOrigin.set(connection.origin, [connection]);
      const [oldest] = idle;
      if (idle.size > idleMax) drop(oldest!);
    },
    drop,
    async close(): Promise<void> {
      await Promise.all([...idle].map(({ client }) => client.destroy()));
    },
  };
}

/** What undici is told when it wants to connect once more: nothing of the request that waits for it has been sent. */
const connectionGone = new Error('the connection is gone');
const endedEarly = new Error('ended early');
const answerTooLong = new Error('the answer is too long');

/** A client for the life of one socket that is already open and checked. */
function clientOver(socket: Socket, origin: string): Client {
  let handedOver = false;
  const client = new Client(origin, {
    // Not at once, because undici does not look for what to send on a connection that is made while it asks for one.
    connect: (_options, callback) => {
      if (handedOver) process.nextTick(callback, connectionGone, null);
      else process.nextTick(callback, null, socket);
      handedOver = true;
    },
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMaxMs,
    keepAliveMaxTimeout: idleMaxMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headersMaxBytes,
  });
  // Undici's types do not list it: emitted where one of its own assertions fails, and fatal where nobody listens.
  const emitter: EventEmitter = client;
  emitter.on('error', () => socket.destroy());
  return client;
}

/**
 * Stands between the socket and undici, which bounds neither reason phrases nor chunk extensions nor the number of
 * informational answers, and which takes a `100 Continue` nobody asked for as an error. Returns what begins the next answer.
 */
function boundIntake(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let takenBytes = 0;
  let beginning: Buffer | null = null;

  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null) return null;
    takenBytes += chunk.length;
    if (takenBytes > answerMaxBytes) {
      socket.destroy(answerTooLong);
      return null;
    }
    if (beginning === null) return chunk;

    const rest = withoutContinue(beginning.length === 0 ? chunk : Buffer.concat([beginning, chunk]));
    const isHeld = rest.length < headersMaxBytes && continueLine.startsWith(rest.toString('latin1', 0, continueLine.length));
    beginning = isHeld ? rest : null;
    return isHeld ? null : rest;
  };

  return () => {
    takenBytes = 0;
    beginning = nothing;
  };
}

const continueLine = 'HTTP/1.1 100';
const nothing = Buffer.alloc(0);

function isContinue(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, continueLine.length) === continueLine;
}

function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isContinue(rest)) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) break;
    rest = rest.subarray(headEnd + 4);
  }
  return rest;
}

class AnswerReader implements Dispatcher.DispatchHandler {
  /** Whether any of it may have been written. */
  requested: boolean;
  /** 0 until there is an answer. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  chunks: Buffer[];
  bytes: number;
  onEnd: (error: Error | null) => void;

  constructor(onEnd: (error: Error | null) => void) {
    this.requested = false;
    this.status = 0;
    this.headers = {};
    this.chunks = [];
    this.bytes = 0;
    this.onEnd = onEnd;
  }

  onRequestStart(): void {
    this.requested = true;
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > responseMaxBytes) this.onEnd(answerTooLong);
  }

  onResponseEnd(): void {
    this.onEnd(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.onEnd(error);
  }
}

function answerOf({ status, headers, chunks }: AnswerReader, address: string): Answer {
  const retryAfter = firstOf(headers['retry-after'])?.slice(0, retryAfterMaxLength) ?? null;
  const encoding = firstOf(headers['content-encoding'])?.trim().toLowerCase() ?? 'identity';
  const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  return { kind: 'answered', status, retryAfter, response: describeBody(body.subarray(0, responseMaxBytes), encoding), address };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The database keeps no NUL, and a reader's terminal shall not obey what a stranger wrote. */
function describeBody(body: Buffer, encoding: string): string {
  if (body.length === 0) return '';
  if (encoding !== 'identity' && encoding !== '') return `[${/^[\w-]{1,20}$/.test(encoding) ? encoding : 'encoded'}, ${body.length} bytes]`;
  return body.toString('utf8').replace(/\r\n?/g, '\n').replace(controlCharacters, '\ufffd');
}

/** With those that turn the direction of writing. */
const controlCharacters = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

function reasonOf(error: unknown, stage?: 'TLS'): string {
  if (error === connectionGone) return 'connection reset';
  if (error === answerTooLong) return `malformed HTTP: no answer within ${answerMaxBytes / 1024} KiB`;
  if (!(error instanceof Error)) return 'unexpected error';
  if (error.name === 'HTTPParserError' || error.name === 'AssertionError') return 'malformed HTTP';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(error.message)) return 'malformed HTTP';
  const known = reasons.get(code);
  if (known) return known;
  return stage === 'TLS' || /^(ERR_SSL|ERR_TLS|EPROTO|CERT_)/.test(code) ? `TLS: ${code}` : `unexpected error ${code}`.trim();
}

const reasons = new Map([
  ['EAI_AGAIN', 'name does not resolve at the moment'],
  ['EAI_FAIL', 'name does not resolve at the moment'],
  ['ETIMEOUT', 'name does not resolve at the moment'],
  ['ESERVFAIL', 'name does not resolve at the moment'],
  ['ENOTFOUND', 'name does not resolve'],
  ['ENODATA', 'name does not resolve'],
  ['ECONNREFUSED', 'connection refused'],
  ['EHOSTDOWN', 'host unreachable'],
  ['EHOSTUNREACH', 'host unreachable'],
  ['EADDRNOTAVAIL', 'network unreachable'],
  ['EAFNOSUPPORT', 'network unreachable'],
  ['ENETDOWN', 'network unreachable'],
  ['ENETUNREACH', 'network unreachable'],
  ['ETIMEDOUT', 'connection timed out'],
  ['ECONNABORTED', 'connection reset'],
  ['ECONNRESET', 'connection reset'],
  ['EPIPE', 'connection reset'],
  ['UND_ERR_SOCKET', 'connection reset'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'malformed HTTP'],
  ['UND_ERR_HEADERS_OVERFLOW', `malformed HTTP: headers beyond ${headersMaxBytes / 1024} KiB`],
  ['UND_ERR_INVALID_ARG', 'headers that cannot be sent'],
  ['UND_ERR_NOT_SUPPORTED', 'headers that cannot be sent'],
]);
