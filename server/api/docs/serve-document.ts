import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { once } from '../../http/lazy.ts';

export interface ServedDocument {
  /** The content type. */
  type: string;
  headers?: Record<string, string>;
  make(): string | Buffer | Promise<string | Buffer>;
}

/** A document as bytes, which all responses share: a string would be copied for each response. */
export interface Packed {
  plain: Buffer;
  gzipped: Buffer;
  tag: string;
}

/** Serves a document that is created on first use, with GET, HEAD and conditional requests. */
export function serveDocument(app: FastifyInstance, url: string, { type, headers = {}, make }: ServedDocument): void {
  const packed = once(app, async () => await pack(await make()));
  app.get(url, { exposeHeadRoute: true }, async (request, reply) =>
    sendPacked(request, reply, await packed(), { type, headers }),
  );
}

export async function pack(content: string | Buffer): Promise<Packed> {
  const plain = Buffer.from(content);
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { plain, gzipped: await promisify(gzip)(plain), tag };
}

export function sendPacked(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, gzipped, tag }: Packed,
  { type, headers }: Required<Omit<ServedDocument, 'make'>>,
): FastifyReply {
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const vary = ['accept-encoding', ...(headers.vary ? [headers.vary] : [])].join(', ');
  // Each encoding is a representation of its own.
  const etag = zipped ? `"${tag}-gzip"` : `"${tag}"`;
  reply.headers({ 'cache-control': 'no-cache', ...headers, etag, vary });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(type);
  return zipped ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
}

/** Accepts weak ETags, which compressing proxies create, and lists. */
function isKnown(given: string | undefined, etag: string): boolean {
  const known = given?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}
