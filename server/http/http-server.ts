import type { Server, Socket } from 'node:net';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { errorMessage } from '../../messages/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { newTraceId } from '../platform/ids.ts';
import type { SharedCounts } from '../platform/limits/shared-counts.ts';
import { mostSimilar } from '../platform/similar-name.ts';
import { limitBodyMemory } from './body-memory.ts';
import { pipelinedExpect, rejectBrokenRequest } from './broken-request.ts';
import type { ContractEnvelope } from './envelope.ts';
import { checkBeforeBody, dropInvalidMediaType } from './head-checks.ts';
import { closeIdleConnections } from './idle-connections.ts';
import { makeIgnoredProxies } from './ignored-proxies.ts';
import {
  bodyMaxBytes,
  connectionsMax,
  deadlineCheckMs,
  headersDeadlineSeconds,
  keepAliveSeconds,
  requestDeadlineSeconds,
} from './limits.ts';
import { type OpenRequests, trackOpenRequests } from './open-requests.ts';
import { makePipelineGuard } from './pipelined-requests.ts';
import type { Problem } from './problem.ts';
import { reject } from './reject.ts';
import type { ServerContext } from './server-context.ts';

type MadeHere = 'envelopes' | 'connections' | 'ignoredProxies' | 'problemOfUnknownRoute';

export interface HttpServerOptions extends Omit<ServerContext, MadeHere> {
  bodiesHeldMaxBytes: number;
  /** Proxies whose headers are trusted to name the caller's address. */
  trustedProxies: string[];
}

/** The HTTP server without any contract: trace ids, raw bodies, deadlines, rejections, metrics. */
export function makeHttpServer(options: HttpServerOptions): { app: FastifyInstance; context: ServerContext } {
  const { bodiesHeldMaxBytes, trustedProxies, ...shared } = options;
  const connections = { idle: new Set<Socket>(), pipelined: new WeakSet<Socket>() };
  const context: ServerContext = {
    ...shared,
    envelopes: [],
    connections,
    ignoredProxies: makeIgnoredProxies(trustedProxies, options),
    problemOfUnknownRoute: (request) => unknownRoute(app, request.url, apiPaths),
  };
  const requests = trackOpenRequests();
  const rejectBroken = (error: { code?: string }, socket: Socket) =>
    requests.onceAnswered(socket, (latest) => {
      const broken = latest && !latest.request.raw.complete ? latest : null;
      if (broken?.sent) socket.destroy();
      else if (broken?.request.record.isRejected) broken.raw.once('close', () => socket.end(() => socket.destroy()));
      else rejectBrokenRequest(error, socket, broken?.request ?? null, context);
    });
  const pipelines = makePipelineGuard({
    pipelined: connections.pipelined,
    rejectPipelinedExpect: (socket) => rejectBroken(pipelinedExpect, socket),
    closeOnceAnswered: requests.closeOnceAnswered,
  });

  const app = Fastify({
    ...fastifyOptions(options),
    http: { ...nodeOptions, shouldUpgradeCallback: pipelines.shouldUpgradeCallback },
    clientErrorHandler: rejectBroken,
    // A path that cannot be decoded matches no route, so neither its contract nor the hooks run.
    frameworkErrors: (_error, request, reply: FastifyReply) => {
      const envelope = envelopeOf(context, request.url);
      begin(context, request, reply, envelope.name);
      requests.add(reply);
      return reject(request, reply, context, envelope, {
        kind: 'bad_request',
        message: errorMessage('path_unreadable'),
      });
    },
  });
  // HTTP allows a server to ignore an unknown expectation. Node's own rejection would have no trace id.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
  pipelines.guard(app.server);
  closeIdleConnections(app, connections.idle);
  const apiPaths = collectApiPaths(app);
  limitConnections(app.server, context.counts);
  limitBodyMemory(app, { metrics: context.metrics, maxBytes: bodiesHeldMaxBytes, counts: context.counts });
  keepRawBodies(app);
  admitRequests(app, context, requests);
  return { app, context };
}

function fastifyOptions({ clock, trustedProxies }: { clock: Clock; trustedProxies: string[] }): FastifyServerOptions {
  return {
    logger: false,
    bodyLimit: bodyMaxBytes,
    genReqId: () => newTraceId(clock.now().getTime()),
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false },
    keepAliveTimeout: keepAliveSeconds * 1000,
    // Also closes the connection of a client that sends a request and never reads the response.
    connectionTimeout: keepAliveSeconds * 1000,
    requestTimeout: requestDeadlineSeconds * 1000,
  };
}

const nodeOptions = {
  headersTimeout: headersDeadlineSeconds * 1000,
  connectionsCheckingInterval: deadlineCheckMs,
  maxHeaderSize: 16_384,
  // Node's own rejection has neither a trace id nor an envelope; ours is in head-checks.ts.
  requireHostHeader: false,
};

/**
 * Node closes connections above `maxConnections`. It is the limit of the node minus the connections of its other
 * processes.
 */
function limitConnections(server: Server, counts: SharedCounts): void {
  const ofNode = counts.level('connections', setLimit);
  function setLimit(): void {
    server.maxConnections = Math.max(0, connectionsMax - ofNode.others());
  }
  setLimit();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    ofNode.set(++open);
    socket.once('close', () => ofNode.set(--open));
  });
}

/** Keeps each body as its bytes: a signature covers the bytes, and it is checked before anything is parsed. */
function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/**
 * Starts the record of each request, waits while the service is overloaded, and rejects requests before their body is
 * read.
 */
function admitRequests(app: FastifyInstance, context: ServerContext, requests: OpenRequests): void {
  app.decorateRequest('record');
  app.addHook('onRequest', (request, reply, done) => {
    const unlogged = request.routeOptions.config?.unlogged === true;
    // Escapes in a URL can hide its prefix, so the route decides.
    const envelope = envelopeOf(context, request.routeOptions.url ?? request.url);
    begin(context, request, reply, unlogged ? null : envelope.name);
    requests.add(reply);
    if (request.headers['x-forwarded-for'] !== undefined) context.ignoredProxies.notice(request.socket.remoteAddress);
    // If we closed the connection later, the client could already be sending its next request.
    if (context.isStopping()) reply.header('connection', 'close');
    dropInvalidMediaType(request);
    if (unlogged) return done();
    // Most requests are admitted at once, without the cost of a promise.
    const admission = context.load.waitForAdmission();
    if (admission === null) done(checkBeforeBody(request, null, context) ?? undefined);
    else admission.then((overload) => done(checkBeforeBody(request, overload, context) ?? undefined));
  });
}

function begin(context: ServerContext, request: FastifyRequest, reply: FastifyReply, contract: string | null): void {
  context.recorder.start(request, reply, contract);
  reply.headers(context.commonHeaders.values);
}

/** The contract mounted last wins; the one without a prefix answers for all other URLs. */
function envelopeOf({ envelopes }: ServerContext, url: string): ContractEnvelope {
  return envelopes.findLast(({ prefix }) => url.startsWith(`${prefix}/`)) ?? envelopes[0]!;
}

function unknownRoute(app: FastifyInstance, urlWithQuery: string, apiPaths: string[]): Problem {
  const url = urlWithQuery.split('?', 1)[0]!;
  const allow = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url }));
  if (allow.length > 0) return { kind: 'wrong_method', allow };
  const similar = similarPath(url, apiPaths);
  return similar === null ? { kind: 'unknown_path' } : { kind: 'unknown_path', similar };
}

const comparedLengthMax = 80;

/** The path of an API without its base path, or with a typing mistake. Longer paths are not compared. */
function similarPath(url: string, apiPaths: string[]): string | null {
  if (url.length > comparedLengthMax || url.length < 2) return null;
  return apiPaths.find((path) => path.endsWith(url)) ?? mostSimilar(url, apiPaths);
}

/** The paths of the partners' APIs, as they are mounted. */
function collectApiPaths(app: FastifyInstance): string[] {
  const paths: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (method === 'POST' && !/^\/console\/|[:*]/.test(url)) paths.push(url);
  });
  return paths;
}
