import { hash } from 'node:crypto';
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

const clientFolders = ['php', 'python', 'java', 'csharp', 'go'];
const clientFile = /^[A-Za-z]+\.(php|py|java|cs|go)$/;

/** The clients and receivers in other languages, and their checksums in the format of sha256sum. */
export function mountClients(app: FastifyInstance, folder: URL): void {
  const files = clientFolders.flatMap((language) => {
    const files = new URL(`${language}/`, folder);
    return namesIn(files, clientFile).map((name) => ({ name, read: () => readFileSync(new URL(name, files)) }));
  });
  const type = 'text/plain; charset=utf-8';
  for (const { name, read } of files) serveDocument(app, `/docs/clients/${name}`, { type, make: read });
  const checksums = () => files.map(({ name, read }) => `${hash('sha256', read())}  ${name}\n`).join('');
  serveDocument(app, '/docs/clients/SHA256SUMS', { type, make: checksums });
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
