import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ChangeMarks, type LiveTopic, liveTopics, readChangeMarks } from '../../domain/operators/change-mark-queries.ts';
import type { Sessions } from '../../domain/operators/sessions.ts';
import type { Database } from '../../platform/database.ts';
import { ProblemError } from '../problem.ts';
import { refuseForeignOrigin, type SessionCookie } from './session-cookie.ts';

const lookEveryMs = 1000;
/** So that neither side nor a proxy between takes the connection for dead; and so often whether the session is still open is looked at. */
const beatEveryMs = 20_000;
const listenersMax = 500;
/** Whoever does not read what they are told has gone. */
const unreadMaxBytes = 16_384;

/** `GET /console/api/live`: says which topics have changed, as server-sent events. Nothing is looked at while nobody listens. */
export function mountLive(
  app: FastifyInstance,
  { database, sessions, cookie }: { database: Database; sessions: Sessions; cookie: SessionCookie },
): void {
  const listeners = new Map<ServerResponse, string>();
  let looking: NodeJS.Timeout | null = null;
  let beating: NodeJS.Timeout | null = null;
  let marks: ChangeMarks | null = null;
  let lately: LiveTopic[] = [];

  async function look(): Promise<void> {
    const found = await database.read(readChangeMarks).catch(() => null);
    if (found !== null) {
      const isFirst = marks === null;
      const changed = isFirst ? [] : liveTopics.filter((topic) => found[topic] !== marks![topic]);
      // What was counted may not have been seen yet: it is told once more.
      const topics = [...new Set([...changed, ...lately])];
      lately = changed;
      marks = found;
      const told = `event: change\ndata: ${JSON.stringify({ topics })}\n\n`;
      if (topics.length > 0) for (const listener of listeners.keys()) tell(listener, told);
      // Whatever ends a session is done by an operator, or to one.
      if (isFirst || changed.includes('audit')) await endSignedOut();
    }
    looking = listeners.size > 0 ? setTimeout(look, lookEveryMs) : null;
    if (looking === null) marks = null;
  }

  async function endSignedOut(): Promise<void> {
    for (const [listener, token] of listeners) {
      const session = await sessions.find(token).catch(() => undefined);
      if (session === null) listener.end('event: signed-out\ndata: {}\n\n');
    }
  }

  async function beat(): Promise<void> {
    await endSignedOut();
    for (const listener of listeners.keys()) tell(listener, ': still here\n\n');
    beating = listeners.size > 0 ? setTimeout(beat, beatEveryMs) : null;
  }

  async function admitted(request: FastifyRequest): Promise<string> {
    refuseForeignOrigin(request, cookie);
    const token = cookie.read(request);
    if (token === null || (await sessions.find(token)) === null)
      throw new ProblemError({ kind: 'unauthorized', reason: 'no open session', told: 'sign in first' });
    return token;
  }

  app.get('/console/api/live', { config: { unlogged: true } }, async (request, reply) => {
    const token = await admitted(request);
    if (listeners.size >= listenersMax) return reply.code(503).header('retry-after', '5').send();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 2000\nevent: open\ndata: {}\n\n');
    listeners.set(raw, token);
    raw.once('close', () => listeners.delete(raw));
    looking ??= setTimeout(look, 0);
    beating ??= setTimeout(beat, beatEveryMs);
  });
  app.addHook('preClose', async () => {
    if (looking) clearTimeout(looking);
    if (beating) clearTimeout(beating);
    for (const listener of listeners.keys()) listener.end();
  });
}

function tell(listener: ServerResponse, text: string): void {
  if (listener.writableEnded) return;
  if (listener.writableLength > unreadMaxBytes) listener.destroy();
  else listener.write(text);
}
