import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { once } from '../../http/lazy.ts';

export interface ServedDocument {
  /** The content type. */
  type: string;
  headers?: Record<string, string>;
  make(): string | Buffer | Promise<string | Buffer>;
}

/** Serves a document that is created on first use, with GET, HEAD and conditional requests. */
export function serveDocument(app: FastifyInstance, url: string, { type, headers = {}, make }: ServedDocument): void {
  const made = once(app, async () => {
    const bytes = Buffer.from(await make());
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
  });
  app.get(url, { exposeHeadRoute: true }, async (request, reply) => {
    const { bytes, etag } = await made();
    reply.headers({ 'cache-control': 'no-cache', etag, ...headers });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(bytes);
  });
}

/** Accepts weak ETags, which compressing proxies create, and lists. */
function isKnown(given: string | undefined, etag: string): boolean {
  const known = given?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}
