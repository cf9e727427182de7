import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../../messages/rejection-texts.ts';
import { notDone } from '../../http/done-envelope.ts';
import { once } from '../../http/lazy.ts';
import { namesIn } from './guides.ts';
import { serveDocument } from './serve-document.ts';

const json = 'application/json; charset=utf-8';

/** The test vectors from the repository. */
export function mountVectors(app: FastifyInstance, folder: URL): void {
  for (const name of namesIn(folder, /^[\w.-]+\.json$/)) {
    serveDocument(app, `/docs/vectors/${name}`, { type: json, make: () => readFileSync(new URL(name, folder)) });
  }
}

/** The packed client library, if it has been built. */
export function mountClientLibrary(app: FastifyInstance, file: URL): void {
  const library = once(app, () => readFile(file));
  app.get('/docs/lading-client.tgz', { exposeHeadRoute: true }, async (request, reply) => {
    const packed = await library().catch(() => null);
    if (packed === null) {
      request.record.reason = rejection('sdk_absent');
      return reply.code(404).send(notDone(rejection('sdk_absent'), 404).body);
    }
    return reply.header('cache-control', 'no-cache').type('application/gzip').send(packed);
  });
}
