import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { rejection } from '../../../messages/rejection-texts.ts';
import { once } from '../../http/lazy.ts';
import { ProblemError } from '../../http/problem.ts';
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
  app.get('/docs/lading-client.tgz', { exposeHeadRoute: true }, async (_request, reply) => {
    const packed = await library().catch(() => null);
    if (packed === null) throw new ProblemError({ kind: 'not_found', message: rejection('sdk_absent') });
    return reply.header('cache-control', 'no-cache').type('application/gzip').send(packed);
  });
}
