import { channel } from 'node:diagnostics_channel';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { newTraceId } from '../platform/ids.ts';
import { makeSlices } from '../platform/slices.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { type Call, type CallBooks, finishCall, hungUpStatus, newCall } from './call.ts';
import { isCheap, problemOf } from './contract.ts';
import { type Dialect, wordProblem } from './dialect.ts';
import type { Incoming } from './incoming.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';
import { headersDeadlineSeconds, keepAliveSeconds, type Shell } from './shell.ts';

interface LaneParts extends CallBooks {
  clock: Clock;
  isStopping(): boolean;
  /** Connections without a request in work: a stop does not wait for them. */
  silent: Set<Socket>;
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

/** Larger ones are read by Node, piece by piece. */
const requestBytesMax = 16_384;
/** A group that waits for the next word of the database must not wait for a crowd to be read. */
const readAtOnceMax = 8;
const timedOut = Object.assign(new Error('nothing came'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/**
 * The short way for what is nearly all of the load: a plain request that comes in one piece goes from its socket straight to its endpoint. Node's
 * parser, its streams and Fastify's hooks cost more than a third of what an order needs. Whatever is not plain, and all that comes on its
 * connection afterwards, is handed to Node as if nobody had looked at it.
 */
export function openDirectLane(app: FastifyInstance, shell: Shell, parts: LaneParts): void {
  const { server } = app;
  const [readByNode] = server.listeners('connection') as ((this: unknown, socket: Socket) => void)[];
  server.off('connection', readByNode!);
  const inTurn = makeSlices(readAtOnceMax);
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });

  server.on('connection', (socket: Socket) => {
    let inWork: Incoming | null = null;
    let endpoint = '';
    /** From the start of a request until its answer has left: who does not read its answers is not read either. */
    let isBusy = false;
    /** What has come and is not read yet. */
    let arrived: Buffer | null = null;
    let hasAsked = false;

    function onData(bytes: Buffer): void {
      if (isBusy || arrived !== null) socket.pause();
      else inTurn(readArrived);
      arrived = arrived === null ? bytes : Buffer.concat([arrived, bytes]);
    }

    function readArrived(): void {
      if (!socket.writable) return;
      const bytes = arrived!;
      arrived = null;
      if (socket.isPaused()) socket.resume();
      const request = bytes.length <= requestBytesMax ? readPlainRequest(bytes) : null;
      const destination = request && shell.works.get(request.path);
      if (!destination || shell.load.isFull()) {
        handOver(bytes);
        return;
      }

      const incoming = begin(request);
      const { work, contract } = destination;
      work(incoming, request.body)
        .then(({ status = 200, headers, body }) => ({ status, headers, body: JSON.stringify(body) }))
        .catch((error) => refuse(error, incoming, contract))
        .then((given) => answer(incoming, given));
    }

    function begin({ path, headers }: PlainRequest): Incoming {
      const now = parts.clock.now();
      const id = newTraceId(now.getTime());
      const call: Call = newCall(now, shell.works.get(path)!.contract.name);
      inWork = { id, url: path, headers, ip: socket.remoteAddress ?? '', call };
      endpoint = path;
      isBusy = true;
      hasAsked = true;
      parts.silent.delete(socket);
      return inWork;
    }

    async function refuse(error: unknown, incoming: Incoming, contract: Dialect): Promise<GivenAnswer> {
      const problem = problemOf(error, incoming, shell);
      if (isCheap(problem)) await shell.refusalPace();
      const { status, headers, body } = wordProblem(incoming, contract, problem);
      return { status, headers, body: JSON.stringify(body) };
    }

    function answer(incoming: Incoming, { status, headers, body }: GivenAnswer): void {
      // The caller has gone, and its call is written down.
      if (inWork !== incoming) return;
      const all = { 'trace-id': incoming.id, 'content-type': 'application/json; charset=utf-8', ...headers };
      const isLast = isClosing || parts.isStopping();
      socket.write(...wordAnswer(status, all, body, isLast), goOn);
      if (answered.hasSubscribers) answered.publish({ http: app, path: endpoint, status, headers: all, body } satisfies DirectAnswer);
      finish(status);
      if (isLast) {
        // As Node does: a caller that does not close its side would otherwise hold up a stop.
        socket.destroySoon();
        return;
      }
      socket.setTimeout(keepAliveSeconds * 1000);
    }

    function goOn(): void {
      if (isClosing) socket.destroySoon();
      if (!socket.writable) return;
      isBusy = false;
      parts.silent.add(socket);
      if (arrived !== null) inTurn(readArrived);
    }

    function finish(status: number): void {
      const { id, call } = inWork!;
      inWork = null;
      finishCall(call, { traceId: id, method: 'POST', endpoint, status }, parts);
    }

    function handOver(bytes: Buffer): void {
      socket.off('data', onData).off('end', onEnd).off('timeout', onTimeout).off('close', onClose).off('error', onError).setTimeout(0);
      socket.pause();
      socket.unshift(bytes);
      readByNode!.call(server, socket);
      socket.resume();
    }

    /** As with Node: whoever closes its side has gone, whatever it still waits for. */
    function onEnd(): void {
      socket.end();
    }

    function onTimeout(): void {
      if (inWork !== null) return;
      if (hasAsked) socket.destroy();
      else answerBrokenRequest(timedOut, socket, undefined, parts);
    }

    function onClose(): void {
      if (inWork !== null) finish(hungUpStatus);
    }

    function onError(): void {}

    socket.on('data', onData).on('end', onEnd).on('timeout', onTimeout).on('close', onClose).on('error', onError);
    socket.setTimeout(headersDeadlineSeconds * 1000);
  });
}

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
