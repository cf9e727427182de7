import type { FastifyInstance } from 'fastify';
import { publishedAheadSeconds } from '../../domain/partners/token-key.ts';
import type { TokenKeyDirectory } from '../../domain/partners/token-key-directory.ts';
import { algorithm } from './access-token.ts';

/** Half of the time for which a new key is published before it signs, so that caches always contain it in time. */
const maxAgeSeconds = publishedAheadSeconds / 2;

/** Publishes our public token keys, so that others can verify tokens without calling us. */
export function mountJwks(app: FastifyInstance, keys: TokenKeyDirectory): void {
  app.get('/.well-known/jwks.json', { exposeHeadRoute: true }, async (_request, reply) => {
    const published = await keys.published();
    reply.header('cache-control', `public, max-age=${maxAgeSeconds}`).type('application/jwk-set+json; charset=utf-8');
    return JSON.stringify({
      keys: published.map(({ kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        alg: algorithm,
        use: 'sig',
      })),
    });
  });
}
