import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { notDone } from '../done-envelope.ts';
import { once } from '../once.ts';
import { namesIn } from './guides.ts';
import { handOut } from './hand-out.ts';

const json = 'application/json; charset=utf-8';

/** The test vectors as they are in the repository. */
export function mountVectors(app: FastifyInstance, folder: URL): void {
  for (const name of namesIn(folder, /^[\w.-]+\.json$/)) {
    handOut(app, `/docs/vectors/${name}`, { type: json, make: () => readFileSync(new URL(name, folder)) });
  }
}

/** The packed client library, where it has been made. */
export function mountClientLibrary(app: FastifyInstance, file: URL): void {
  const library = once(app, () => readFile(file));
  app.get('/docs/lading-client.tgz', { exposeHeadRoute: true }, async (request, reply) => {
    const packed = await library().catch(() => null);
    if (packed === null) {
      request.call.reason = 'the client library is not made yet';
      return reply.code(404).send(notDone('the client library is not made yet: npm run sdk makes it', 404).body);
    }
    return reply.headers({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }).type('application/gzip').send(packed);
  });
}
