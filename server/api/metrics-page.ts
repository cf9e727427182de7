import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { CommonHeaders } from '../http/common-headers.ts';

/** The metrics of the node in the text format of Prometheus. */
export interface MetricsPage {
  contentType: string;
  format(): Promise<string>;
  /** null: anyone who reaches the page may read it. */
  token: string | null;
}

export const metricsPath = '/metrics';
/** A monitoring system needs one or two. */
const connectionsMax = 64;
const requestDeadlineMs = 10_000;

interface PageResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Serves the metrics on the port of the APIs. */
export function mountMetrics(app: FastifyInstance, page: MetricsPage): void {
  app.get(metricsPath, { config: { unlogged: true }, exposeHeadRoute: true }, async (request, reply) => {
    const { status, headers, body } = await respond(page, request.headers.authorization);
    return reply.code(status).headers(headers).send(body);
  });
}

/** A server that serves the metrics and nothing else, on a port of its own. */
export function makeMetricsServer(page: MetricsPage, commonHeaders: CommonHeaders): Server {
  const server = createServer({ requestTimeout: requestDeadlineMs, headersTimeout: requestDeadlineMs });
  server.maxConnections = connectionsMax;
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = await route(page, request).catch(() => failed);
    response.writeHead(status, {
      ...commonHeaders.values,
      ...headers,
      'content-length': Buffer.byteLength(body),
      ...(server.listening ? {} : { connection: 'close' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return void socket.destroy();
    socket.end(`HTTP/1.1 400 Bad Request\r\nconnection: close\r\n${commonHeaders.text}content-length: 0\r\n\r\n`);
  });
  return server;
}

async function route(page: MetricsPage, { method = '', url = '', headers }: IncomingMessage): Promise<PageResponse> {
  if (url.split('?', 1)[0] !== metricsPath) return plain(404, `this port serves only ${metricsPath}`);
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'use GET', { allow: 'GET, HEAD' });
  return await respond(page, headers.authorization);
}

async function respond({ token, contentType, format }: MetricsPage, authorization = ''): Promise<PageResponse> {
  if (token !== null && !isSame(authorization, `Bearer ${token}`))
    return plain(401, 'the token of METRICS_TOKEN is required', { 'www-authenticate': 'Bearer realm="metrics"' });
  return { status: 200, headers: { 'content-type': contentType }, body: await format() };
}

function plain(status: number, text: string, headers: Record<string, string> = {}): PageResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: `${text}\n` };
}

const failed = plain(500, 'the metrics cannot be read; see the log');

/** Takes the same time for every text: digests have the same length, whatever the texts are. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}
