import { channel } from 'node:diagnostics_channel';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { newTraceId } from '../platform/ids.ts';
import { makeScheduler } from '../platform/limits/scheduler.ts';
import { rejectBrokenRequest, requestTimedOut } from './broken-request.ts';
import { formatHeaders } from './common-headers.ts';
import type { EndpointResponse, MountedEndpoint } from './endpoint.ts';
import { type ContractEnvelope, problemResponse } from './envelope.ts';
import type { Incoming } from './incoming.ts';
import { headersDeadlineSeconds, keepAliveSeconds, requestDeadlineSeconds } from './limits.ts';
import { readPlainRequest } from './plain-request.ts';
import { isCheap, problemOf } from './reject.ts';
import { clientClosedStatus, newRequestRecord } from './request-record.ts';
import type { ServerContext } from './server-context.ts';

/** Calls `onLate` after the given time; returns a function that cancels the deadline. */
export type StartDeadline = (afterMs: number, onLate: () => void) => () => void;

/** Published for each response that the lane sends. */
export interface DirectResponse {
  http: FastifyInstance;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}
const responses = channel('lading.direct-response');

/**
 * Requests that are parsed before the event loop handles other events, such as the database response that a group
 * commit waits for.
 */
const parsedAtOnceMax = 8;
const headEnd = '\r\n\r\n';

interface Lane {
  app: FastifyInstance;
  context: ServerContext;
  endpoints: Map<string, MountedEndpoint>;
  startDeadline: StartDeadline;
  schedule(work: () => void): void;
  /** Gives the connection to Node, as if these bytes had just arrived. */
  handOver(socket: Socket, bytes: Buffer): void;
  isClosing: boolean;
}

/**
 * A plugin that serves plain requests, which are nearly all of the load, directly from the socket. Node's parser and
 * streams and Fastify's hooks cost more than a third of the CPU time of an order. When a request is not plain, the lane
 * hands the connection to Node for good, together with all bytes of that request.
 *
 * Attach it before the contracts are mounted: it collects their endpoints from the routes.
 */
export function attachDirectLane(app: FastifyInstance, context: ServerContext, startDeadline = startTimer): void {
  const { server } = app;
  const [serveByNode] = server.listeners('connection') as ((this: unknown, socket: Socket) => void)[];
  server.off('connection', serveByNode!);
  const lane: Lane = {
    app,
    context,
    endpoints: new Map(),
    startDeadline,
    schedule: makeScheduler(parsedAtOnceMax),
    handOver(socket, bytes) {
      socket.pause();
      socket.unshift(bytes);
      serveByNode!.call(server, socket);
      socket.resume();
    },
    isClosing: false,
  };
  app.addHook('onRoute', ({ url, config }) => {
    const endpoint = config?.endpoint;
    if (endpoint && !endpoint.contract.needsAddress) lane.endpoints.set(url, endpoint);
  });
  app.addHook('preClose', async () => {
    lane.isClosing = true;
  });
  server.on('connection', (socket: Socket) => new DirectConnection(socket, lane).listen());
}

function startTimer(afterMs: number, onLate: () => void): () => void {
  const timer = setTimeout(onLate, afterMs);
  return () => clearTimeout(timer);
}

/**
 * `waiting`: no request, or one that is not parsed yet. `receiving`: the head is parsed, the body is incomplete.
 * `working`: the endpoint serves the request. `responding`: the response is not flushed to the socket yet.
 */
type ConnectionState = 'waiting' | 'receiving' | 'working' | 'responding';

/**
 * Serves the requests of one connection one by one. It stops reading until the client has read the response
 * (backpressure).
 */
class DirectConnection {
  readonly #socket: Socket;
  readonly #lane: Lane;
  readonly #listeners: Record<string, (bytes: Buffer) => void>;
  /** Bound once, so that no request allocates a function for them. */
  readonly #parseReceived: () => void;
  readonly #continueAfterResponse: () => void;
  #state: ConnectionState;
  /** The request that is received or worked on. */
  #current: Incoming | null;
  /** Received bytes that are not parsed yet. */
  #received: Buffer | null;
  /** Length of the request that is being received. */
  #requestBytes: number;
  #cancelDeadline: () => void;
  #hasSentRequest: boolean;
  /** Whether `#received` begins with the head of a request that arrived before the previous response was sent. */
  #isPipelined: boolean;

  constructor(socket: Socket, lane: Lane) {
    this.#socket = socket;
    this.#lane = lane;
    this.#listeners = {
      data: (bytes) => this.#onData(bytes),
      // Like Node: a client that closes its side gets no more responses.
      end: () => void socket.end(),
      timeout: () => this.#onTimeout(),
      close: () => this.#onClose(),
      error: () => {},
    };
    this.#parseReceived = () => this.#parse();
    this.#continueAfterResponse = () => this.#continue();
    this.#state = 'waiting';
    this.#current = null;
    this.#received = null;
    this.#requestBytes = 0;
    this.#cancelDeadline = () => {};
    this.#hasSentRequest = false;
    this.#isPipelined = false;
  }

  listen(): void {
    for (const event in this.#listeners) this.#socket.on(event, this.#listeners[event]!);
    this.#socket.setTimeout(headersDeadlineSeconds * 1000);
  }

  #onData(bytes: Buffer): void {
    // From now on a shutdown has to wait for a response, even while the request is not parsed yet.
    this.#lane.context.connections.idle.delete(this.#socket);
    const isFirst = this.#received === null;
    this.#received = isFirst ? bytes : Buffer.concat([this.#received!, bytes]);
    if (this.#state === 'receiving' && this.#received.length < this.#requestBytes) return;
    if (this.#state === 'receiving' || (this.#state === 'waiting' && isFirst)) this.#lane.schedule(this.#parseReceived);
    else this.#socket.pause();
  }

  #onTimeout(): void {
    if (this.#current !== null) return;
    if (this.#hasSentRequest) this.#socket.destroy();
    else void rejectBrokenRequest(requestTimedOut, this.#socket, null, this.#lane.context);
  }

  #onClose(): void {
    this.#cancelDeadline();
    if (this.#current !== null) this.#finish(this.#current.record.brokenStatus ?? clientClosedStatus);
  }

  #parse(): void {
    if (!this.#socket.writable || this.#received === null) return;
    if (this.#state === 'working' || this.#state === 'responding') return;
    const request = readPlainRequest(this.#received);
    const endpoint = request === null ? undefined : this.#lane.endpoints.get(request.path);
    if (!endpoint || this.#lane.context.load.isFull()) {
      this.#leaveToNode();
      return;
    }

    // Bytes that arrived during the previous request have paused the connection.
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#state === 'waiting') this.#begin(request!.path, request!.headers, endpoint.contract);
    if (request!.body === null) {
      this.#awaitBody(request!.wholeBytes);
      return;
    }
    this.#cancelDeadline();
    this.#state = 'working';
    this.#received = null;
    this.#serve(this.#current!, request!.body, endpoint);
  }

  #begin(url: string, headers: Record<string, string>, contract: ContractEnvelope): void {
    const { clock, ignoredProxies, tracer } = this.#lane.context;
    const now = clock.now();
    const id = newTraceId(now.getTime());
    const span = tracer === null ? null : tracer.startRequest(id, headers.traceparent);
    if (headers['x-forwarded-for'] !== undefined) ignoredProxies.notice(this.#socket.remoteAddress);
    this.#current = {
      id,
      url,
      headers,
      ip: this.#socket.remoteAddress ?? '',
      record: newRequestRecord(now, contract.name, span),
    };
    this.#hasSentRequest = true;
  }

  /** The deadline runs from the moment the head was parsed, however many pieces the body arrives in. */
  #awaitBody(requestBytes: number): void {
    this.#state = 'receiving';
    this.#requestBytes = requestBytes;
    this.#cancelDeadline = this.#lane.startDeadline(requestDeadlineSeconds * 1000, () =>
      rejectBrokenRequest(requestTimedOut, this.#socket, this.#current, this.#lane.context),
    );
  }

  #serve(incoming: Incoming, body: Buffer, { serve, contract }: MountedEndpoint): void {
    serve(incoming, body)
      .then(serialize)
      .catch((error) => this.#reject(error, incoming, contract))
      .then((response) => this.#respond(incoming, response));
  }

  async #reject(error: unknown, incoming: Incoming, contract: ContractEnvelope): Promise<SerializedResponse> {
    const { context } = this.#lane;
    const problem = problemOf(error, incoming, context);
    if (isCheap(problem, incoming.record)) await context.rejectionThrottle();
    return serialize(problemResponse(incoming, contract, problem, context));
  }

  #respond(incoming: Incoming, { status, headers, body }: SerializedResponse): void {
    // The client has disconnected, and its request is already recorded.
    if (this.#current !== incoming) return;
    this.#state = 'responding';
    const { app, context, isClosing } = this.#lane;
    const { id, url } = incoming;
    const { commonHeaders } = context;
    const isLast = isClosing || context.isStopping();
    const text = headers === undefined ? commonHeaders.text : formatHeaders({ ...commonHeaders.values, ...headers });
    const head = `trace-id: ${id}\r\n${text}${contentType}`;
    this.#socket.write(...formatResponse(status, head, body, isLast), this.#continueAfterResponse);
    if (responses.hasSubscribers) {
      const all = { 'trace-id': id, ...commonHeaders.values, ...headers, 'content-type': jsonType };
      responses.publish({ http: app, path: url, status, headers: all, body } satisfies DirectResponse);
    }
    this.#finish(status);
    // Like Node: otherwise a client that does not close its side would delay the shutdown.
    if (isLast) this.#socket.destroySoon();
    else this.#socket.setTimeout(keepAliveSeconds * 1000);
  }

  #finish(status: number): void {
    const current = this.#current!;
    this.#current = null;
    const { id: traceId, url: endpoint } = current;
    this.#lane.context.recorder.finish(current.record, { traceId, method: 'POST', endpoint, status });
  }

  #continue(): void {
    if (!this.#socket.writable) return;
    this.#state = 'waiting';
    this.#isPipelined = this.#received?.includes(headEnd) ?? false;
    if (this.#received !== null) this.#lane.schedule(this.#parseReceived);
    else if (this.#lane.isClosing) this.#socket.destroySoon();
    else this.#lane.context.connections.idle.add(this.#socket);
  }

  /**
   * Node's own deadline starts again from zero. That does not matter here: a request in the state `receiving` has
   * arrived completely.
   */
  #leaveToNode(): void {
    const { idle, pipelined } = this.#lane.context.connections;
    this.#cancelDeadline();
    if (this.#isPipelined) pipelined.add(this.#socket);
    for (const event in this.#listeners) this.#socket.off(event, this.#listeners[event]!);
    this.#socket.setTimeout(0);
    if (this.#socket.isPaused()) this.#socket.resume();
    // Node parses the request from its first byte, with a new record and trace id.
    this.#current = null;
    idle.add(this.#socket);
    this.#lane.handOver(this.#socket, this.#received!);
    this.#received = null;
  }
}

interface SerializedResponse {
  status: number;
  headers: Record<string, string> | undefined;
  body: string;
}

function serialize({ status = 200, headers, body }: EndpointResponse): SerializedResponse {
  return { status, headers, body: JSON.stringify(body) };
}

const jsonType = 'application/json; charset=utf-8';
const contentType = `content-type: ${jsonType}\r\n`;

/** `headers`: those that do not belong to the connection, as text. */
function formatResponse(
  status: number,
  headers: string,
  body: string,
  isLast: boolean,
): [text: string, BufferEncoding] {
  const bytes = Buffer.byteLength(body);
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}`;
  head += `content-length: ${bytes}\r\nDate: ${currentDate()}\r\n`;
  head += isLast
    ? 'Connection: close\r\n\r\n'
    : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
  return [head + body, bytes === body.length ? 'latin1' : 'utf8'];
}

let formattedDate = { second: 0, text: '' };

/** From the system's clock, like Node's own Date header; formatted once per second. */
function currentDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== formattedDate.second) formattedDate = { second, text: new Date(second * 1000).toUTCString() };
  return formattedDate.text;
}
