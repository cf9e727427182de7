import type { FastifyInstance } from 'fastify';
import { publishedAheadSeconds } from '../../domain/partners/token-key.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import { algorithm } from './access-token.ts';

/** Whoever keeps the keys that long has had a new one for as long again before it signs. */
const maxAgeSeconds = publishedAheadSeconds / 2;

/** The public halves of our token keys, for whoever wants to check a token without asking us. */
export function mountJwks(app: FastifyInstance, keys: TokenKeyDirectory): void {
  app.get('/.well-known/jwks.json', { exposeHeadRoute: true }, async (_request, reply) => {
    const published = await keys.published();
    reply.header('cache-control', `public, max-age=${maxAgeSeconds}`).type('application/jwk-set+json; charset=utf-8');
    return JSON.stringify({
      keys: published.map(({ kid, publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' })),
    });
  });
}
