import type { Server, Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { newTraceId } from '../platform/ids.ts';
import type { LoadShedder } from '../platform/load-shedder.ts';
import type { Log } from '../platform/log.ts';
import type { Pace } from '../platform/pace.ts';
import type { RateLimit } from '../platform/rate-limit.ts';
import { boundBodiesHeld } from './bodies-held.ts';
import { answerBrokenRequest, pipelinedExpect } from './broken-request.ts';
import { beginCall, type CallBooks } from './call.ts';
import { bodyMaxBytes, refuse, type Work } from './contract.ts';
import type { Dialect } from './dialect.ts';
import { type EarlyRequests, makePipelineGuard } from './pipelined-requests.ts';
import type { Problem } from './problem.ts';
import { forgetUnreadableMediaType, refusalOfUnfit } from './unfit-request.ts';

/** What all contracts share: limits, logs, measures. */
export interface Shell {
  dialects: Dialect[];
  /** What is done at each path to which a contract listens. */
  works: Map<string, { work: Work; contract: Dialect }>;
  log: Log;
  load: LoadShedder;
  rateLimit: RateLimit;
  refusalPace: Pace;
  problemOfUnknownRoute(request: FastifyRequest): Problem;
}

export interface ShellParts extends CallBooks {
  clock: Clock;
  load: LoadShedder;
  rateLimit: RateLimit;
  refusalPace: Pace;
  bodiesHeldMaxBytes: number;
  /** Whose word on the caller's address is taken. */
  trustedProxies: string[];
  isStopping(): boolean;
}

export const headersDeadlineSeconds = 10;
export const requestDeadlineSeconds = 15;
export const keepAliveSeconds = 65;
/** Node looks for late requests this often, so this is also by how much a request can exceed its deadline. */
const deadlineCheckMs = 100;
const connectionsMax = 20_000;

/** The connections as the direct lane has to know them. */
export interface Connections {
  /** Those without a request in work: a stop does not wait for them. */
  silent: Set<Socket>;
  early: EarlyRequests;
}

/** The HTTP server without any contract: trace ids, raw bodies, deadlines, refusals, measures. */
export function makeShell(parts: ShellParts): { app: FastifyInstance; shell: Shell; connections: Connections } {
  const dialects: Dialect[] = [];
  const dialectOf = (url: string) => dialects.findLast(({ prefix }) => url.startsWith(`${prefix}/`)) ?? dialects[0]!;
  const requests = watchRequests();
  const refuseBroken = (error: { code?: string }, socket: Socket) =>
    requests.onceAnswered(socket, (latest) => {
      const broken = latest && !latest.request.raw.complete ? latest : null;
      if (broken?.sent) socket.destroy();
      else answerBrokenRequest(error, socket, broken?.request ?? null, parts);
    });
  const pipelines = makePipelineGuard((socket) => refuseBroken(pipelinedExpect, socket));

  const app = Fastify({
    logger: false,
    bodyLimit: bodyMaxBytes,
    genReqId: () => newTraceId(parts.clock.now().getTime()),
    requestIdHeader: false,
    trustProxy: parts.trustedProxies.length > 0 ? parts.trustedProxies : false,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false },
    keepAliveTimeout: keepAliveSeconds * 1000,
    // Also for who has asked and never reads the answer.
    connectionTimeout: keepAliveSeconds * 1000,
    requestTimeout: requestDeadlineSeconds * 1000,
    http: {
      headersTimeout: headersDeadlineSeconds * 1000,
      connectionsCheckingInterval: deadlineCheckMs,
      maxHeaderSize: 16_384,
      // Node's own refusal has neither a trace id nor an envelope; ours is in unfit-request.ts.
      requireHostHeader: false,
      shouldUpgradeCallback: pipelines.shouldUpgradeCallback,
    },
    clientErrorHandler: (error, socket) => refuseBroken(error, socket),
    // A path that cannot be decoded has found no route, and so neither its contract nor the hooks.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      const dialect = dialectOf(request.url);
      beginCall(request, reply, dialect.name, parts);
      return refuse(request, reply, parts, dialect, { kind: 'bad_request', message: 'the path cannot be read' });
    },
  });
  (app.server as Server).maxConnections = connectionsMax;
  // An expectation we do not know may be passed over; Node's own refusal would have no trace id.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
  pipelines.guard(app.server);

  const silent = closeSilentConnections(app);
  boundBodiesHeld(app, { metrics: parts.metrics, maxBytes: parts.bodiesHeldMaxBytes });

  // The bytes are kept as they came: a signature is over them, and it is checked before anything is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.decorateRequest('call');
  app.addHook('onRequest', (request, reply, done) => {
    const unlogged = request.routeOptions.config?.unlogged === true;
    // The route rather than the URL, which may be written with escapes.
    const dialect = dialectOf(request.routeOptions.url ?? request.url);
    beginCall(request, reply, unlogged ? null : dialect.name, parts);
    if (dialect.headers) reply.headers(dialect.headers);
    requests.add(reply);
    // Closed by us later on, the connection could be carrying its next request.
    if (parts.isStopping()) reply.header('connection', 'close');
    forgetUnreadableMediaType(request);
    if (unlogged) return done();
    // Most need not wait, and then not even for a promise.
    const entrance = parts.load.waitAtTheDoor();
    if (entrance === null) done(refusalOfUnfit(request, null, parts) ?? undefined);
    else entrance.then((overload) => done(refusalOfUnfit(request, overload, parts) ?? undefined));
  });

  const shell: Shell = {
    dialects,
    works: new Map(),
    log: parts.log,
    load: parts.load,
    rateLimit: parts.rateLimit,
    refusalPace: parts.refusalPace,
    problemOfUnknownRoute(request) {
      const url = request.url.split('?', 1)[0]!;
      const allow = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url }));
      return allow.length > 0 ? { kind: 'wrong_method', allow } : { kind: 'unknown_path' };
    },
  };
  return { app, shell, connections: { silent, early: pipelines.early } };
}

/** The requests of each connection that Node reads. */
function watchRequests() {
  /** It is the one that breaks when its bytes are wrong or late. */
  const latest = new WeakMap<Socket, FastifyReply>();
  const unanswered = new WeakMap<Socket, Set<FastifyReply>>();
  const broken = new WeakSet<Socket>();

  return {
    add(reply: FastifyReply): void {
      const { socket } = reply.request.raw;
      const others = unanswered.get(socket) ?? new Set();
      latest.set(socket, reply);
      unanswered.set(socket, others.add(reply));
      reply.raw.once('close', () => others.delete(reply));
    },
    /** Requests that came whole before the broken one have their answers first: they may have been done. */
    onceAnswered(socket: Socket, answer: (latest: FastifyReply | undefined) => void): void {
      if (broken.has(socket)) return;
      broken.add(socket);
      const whole = [...(unanswered.get(socket) ?? [])].filter((reply) => reply.request.raw.complete);
      if (whole.length === 0) {
        answer(latest.get(socket));
        return;
      }
      socket.pause();
      const last = Promise.all(whole.map((reply) => new Promise((resolve) => reply.raw.once('close', resolve))));
      void last.then(() => answer(latest.get(socket)));
    },
  };
}

/**
 * A stop waits for requests in flight, and for no one else. Node does not count a connection that has not sent a request yet as idle, and it
 * keeps no deadlines once the server is closing.
 */
function closeSilentConnections(app: FastifyInstance): Set<Socket> {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    // Node's own list of connections does not have those of the direct lane.
    const closeAll = () => open.forEach((socket) => void socket.destroy());
    setTimeout(closeAll, requestDeadlineSeconds * 1000).unref();
  });
  return silent;
}
