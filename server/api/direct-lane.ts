import { channel } from 'node:diagnostics_channel';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { newTraceId } from '../platform/ids.ts';
import { makeSlices } from '../platform/slices.ts';
import { answerBrokenRequest, requestTimedOut } from './broken-request.ts';
import { type CallBooks, finishCall, hungUpStatus, newCall } from './call.ts';
import { isCheap, problemOf } from './contract.ts';
import { type Dialect, wordProblem } from './dialect.ts';
import type { Incoming } from './incoming.ts';
import { readPlainRequest } from './plain-request.ts';
import { type Connections, headersDeadlineSeconds, keepAliveSeconds, requestDeadlineSeconds, type Shell } from './shell.ts';

/** Calls `onLate` after that time; returns how to cancel that. */
export type StartDeadline = (afterMs: number, onLate: () => void) => () => void;

interface LaneParts extends CallBooks, Connections {
  clock: Clock;
  refusalPace: Shell['refusalPace'];
  isStopping(): boolean;
  startDeadline: StartDeadline | undefined;
}

interface GivenAnswer {
  status: number;
  headers?: Record<string, string> | undefined;
  body: string;
}

/** For whoever looks at answers as they leave. */
export interface DirectAnswer {
  http: FastifyInstance;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}
const answered = channel('lading.direct-answer');

/** A group that waits for the next word of the database must not wait for a crowd to be read. */
const readAtOnceMax = 8;
const headEnd = '\r\n\r\n';

interface Lane extends LaneParts {
  startDeadline: StartDeadline;
  app: FastifyInstance;
  shell: Shell;
  /** Has the piece of work done soon. */
  inTurn(work: () => void): void;
  /** Leaves a connection to Node, as if these bytes had just come. */
  handOver(socket: Socket, bytes: Buffer): void;
  isClosing(): boolean;
}

/**
 * The short way for what is nearly all of the load: a plain request goes from its socket straight to its endpoint. Node's parser, its streams and
 * Fastify's hooks cost more than a third of what an order needs. Whatever is not plain, and all that comes on its connection afterwards, is
 * handed to Node as if nobody had looked at it.
 */
export function openDirectLane(app: FastifyInstance, shell: Shell, parts: LaneParts): void {
  const { server } = app;
  const [readByNode] = server.listeners('connection') as ((this: unknown, socket: Socket) => void)[];
  server.off('connection', readByNode!);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  const lane: Lane = {
    ...parts,
    startDeadline: parts.startDeadline ?? startTimer,
    app,
    shell,
    inTurn: makeSlices(readAtOnceMax),
    isClosing: () => isClosing,
    handOver(socket, bytes) {
      socket.pause();
      socket.unshift(bytes);
      readByNode!.call(server, socket);
      socket.resume();
    },
  };
  server.on('connection', (socket: Socket) => serveConnection(socket, lane));
}

function startTimer(afterMs: number, onLate: () => void): () => void {
  const timer = setTimeout(onLate, afterMs);
  return () => clearTimeout(timer);
}

/** Serves one request after the other. We stop reading from a connection until the client has read our response (backpressure). */
function serveConnection(socket: Socket, lane: Lane): void {
  const { shell, silent, early, inTurn } = lane;
  /** `begun`: the rest of a body is on its way. `answering`: until the answer has left. */
  let state: 'waiting' | 'begun' | 'working' | 'answering' = 'waiting';
  let current: Incoming | null = null;
  /** What has come and is not read yet. */
  let arrived: Buffer | null = null;
  /** The length of the request that has begun. */
  let wholeBytes = 0;
  let cancelDeadline = () => {};
  let hasAsked = false;
  /** Whether `arrived` begins with the head of a request that came before the previous response was sent. */
  let isEarly = false;

  function onData(bytes: Buffer): void {
    // Whatever comes now wants an answer, also while it waits for its turn.
    silent.delete(socket);
    const isFirst = arrived === null;
    arrived = isFirst ? bytes : Buffer.concat([arrived!, bytes]);
    if (state === 'begun' && arrived.length < wholeBytes) return;
    if (state === 'begun' || (state === 'waiting' && isFirst)) inTurn(readArrived);
    else socket.pause();
  }

  function readArrived(): void {
    if (!socket.writable || arrived === null || state === 'working' || state === 'answering') return;
    const request = readPlainRequest(arrived);
    const destination = request === null ? undefined : shell.works.get(request.path);
    // A request that has begun is complete here, so that Node's own deadline, which begins anew, does not matter to it.
    if (!destination || shell.load.isFull()) {
      leaveToNode();
      return;
    }

    // What came while the previous request was in work has paused the connection.
    if (socket.isPaused()) socket.resume();
    const { path, headers, body } = request!;
    if (state === 'waiting') take(path, headers, destination.contract);
    if (body === null) {
      awaitBody(request!.wholeBytes);
      return;
    }
    cancelDeadline();
    state = 'working';
    arrived = null;
    work(current!, body, destination);
  }

  /** Its time has run since its head was read, however many pieces its body comes in. */
  function awaitBody(bytes: number): void {
    state = 'begun';
    wholeBytes = bytes;
    cancelDeadline = lane.startDeadline(requestDeadlineSeconds * 1000, () => answerBrokenRequest(requestTimedOut, socket, current, lane));
  }

  function take(url: string, headers: Record<string, string>, contract: Dialect): void {
    const now = lane.clock.now();
    current = { id: newTraceId(now.getTime()), url, headers, ip: socket.remoteAddress ?? '', call: newCall(now, contract.name) };
    hasAsked = true;
  }

  function work(incoming: Incoming, body: Buffer, { work, contract }: Destination): void {
    work(incoming, body)
      .then(({ status = 200, headers, body }) => ({ status, headers, body: JSON.stringify(body) }))
      .catch((error) => refuse(error, incoming, contract))
      .then((given) => answer(incoming, given));
  }

  async function refuse(error: unknown, incoming: Incoming, contract: Dialect): Promise<GivenAnswer> {
    const problem = problemOf(error, incoming, shell);
    if (isCheap(problem, incoming.call)) await shell.refusalPace();
    const { status, headers, body } = wordProblem(incoming, contract, problem);
    return { status, headers, body: JSON.stringify(body) };
  }

  function answer(incoming: Incoming, { status, headers, body }: GivenAnswer): void {
    // The caller has gone, and its call is written down.
    if (current !== incoming) return;
    state = 'answering';
    const { id, url: path } = incoming;
    const all = { 'trace-id': id, ...headers, 'content-type': 'application/json; charset=utf-8' };
    const isLast = lane.isClosing() || lane.isStopping();
    socket.write(...wordAnswer(status, all, body, isLast), goOn);
    if (answered.hasSubscribers) answered.publish({ http: lane.app, path, status, headers: all, body } satisfies DirectAnswer);
    finish(status);
    // As Node does: a caller that does not close its side would otherwise hold up a stop.
    if (isLast) socket.destroySoon();
    else socket.setTimeout(keepAliveSeconds * 1000);
  }

  function goOn(): void {
    if (!socket.writable) return;
    state = 'waiting';
    isEarly = arrived?.includes(headEnd) ?? false;
    if (arrived !== null) inTurn(readArrived);
    else if (lane.isClosing()) socket.destroySoon();
    else silent.add(socket);
  }

  function finish(status: number): void {
    const { id, url, call } = current!;
    current = null;
    finishCall(call, { traceId: id, method: 'POST', endpoint: url, status }, lane);
  }

  function leaveToNode(): void {
    cancelDeadline();
    if (isEarly) early.add(socket);
    for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
    socket.setTimeout(0);
    if (socket.isPaused()) socket.resume();
    // Node makes it another call, with a trace id of its own.
    current = null;
    silent.add(socket);
    lane.handOver(socket, arrived!);
    arrived = null;
  }

  const listeners = {
    data: onData,
    /** As in Node: a client that closes its side gets no more responses. */
    end: () => void socket.end(),
    timeout() {
      if (current !== null) return;
      if (hasAsked) socket.destroy();
      else answerBrokenRequest(requestTimedOut, socket, null, lane);
    },
    close() {
      cancelDeadline();
      if (current !== null) finish(current.call.brokenStatus ?? hungUpStatus);
    },
    error() {},
  };
  for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  socket.setTimeout(headersDeadlineSeconds * 1000);
}

type Destination = NonNullable<ReturnType<Shell['works']['get']>>;

function wordAnswer(status: number, headers: Record<string, string>, body: string, isLast: boolean): [text: string, BufferEncoding] {
  const bytes = Buffer.byteLength(body);
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += `content-length: ${bytes}\r\nDate: ${dateText()}\r\n`;
  head += isLast ? 'Connection: close\r\n\r\n' : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
  return [head + body, bytes === body.length ? 'latin1' : 'utf8'];
}

let dateOfSecond = { second: 0, text: '' };

/** By the system's clock, as Node's own header; made once a second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateOfSecond.second) dateOfSecond = { second, text: new Date(second * 1000).toUTCString() };
  return dateOfSecond.text;
}
