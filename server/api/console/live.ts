import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type LiveChange, type LiveTopic, liveTopics } from '../../../contract/console/live.ts';
import { reason } from '../../../messages/reason-texts.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import type { Sessions } from '../../domain/operators/sessions.ts';
import { readChangeMarks } from '../../domain/overview/change-mark-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Level, SharedCounts } from '../../platform/limits/shared-counts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/reads.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { refuseBeforeEnrolment } from './console-contract.ts';
import { refuseForeignOrigin, type SessionCookie } from './cookies.ts';

const lookEveryMs = 1000;
/** Keeps both sides and proxies from closing the connection as idle. Each time we also check that the session is still open. */
const beatEveryMs = 20_000;
const listenersMax = 500;
/** We drop a client that has not read this much of our events. */
const unreadMaxBytes = 16_384;

interface LiveParts {
  database: Database;
  reads: Reads;
  sessions: Sessions;
}

/** `GET /console/api/live`: reports which topics have changed, as server-sent events. Without listeners nothing is queried. */
export function mountLive(
  app: FastifyInstance,
  { cookie, counts, ...parts }: LiveParts & { cookie: SessionCookie; counts: SharedCounts },
): void {
  const { sessions } = parts;
  const broadcast = new LiveBroadcast(parts, counts.level('live listeners'));

  async function admitted(request: FastifyRequest): Promise<string> {
    refuseForeignOrigin(request, cookie);
    const token = cookie.read(request);
    const session = token === null ? null : await sessions.find(token);
    if (token === null || session === null)
      throw new ProblemError({
        kind: 'unauthorized',
        reason: reason('no_session'),
        callerMessage: rejection('sign_in_first'),
      });
    refuseBeforeEnrolment(session);
    return token;
  }

  app.get('/console/api/live', { config: { unlogged: true } }, async (request, reply) => {
    const token = await admitted(request);
    if (broadcast.isFull()) return reply.code(503).header('retry-after', '5').send();
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 2000\nevent: open\ndata: {}\n\n');
    broadcast.add(raw, token);
  });
  app.addHook('preClose', async () => broadcast.close());
}

/** Looks for changes as long as there are listeners, and sends them to all. */
class LiveBroadcast {
  private readonly database: Database;
  private readonly reads: Reads;
  private readonly sessions: Sessions;
  private readonly ofNode: Level;
  /** Open responses with the session token of each. */
  private readonly listeners = new Map<ServerResponse, string>();
  private looking: NodeJS.Timeout | null = null;
  private beating: NodeJS.Timeout | null = null;
  private marks: Record<LiveTopic, string> | null = null;
  private lately: LiveTopic[] = [];

  constructor({ database, reads, sessions }: LiveParts, ofNode: Level) {
    this.ofNode = ofNode;
    this.database = database;
    this.reads = reads;
    this.sessions = sessions;
  }

  isFull(): boolean {
    return this.listeners.size + this.ofNode.others() >= listenersMax;
  }

  add(listener: ServerResponse, token: string): void {
    this.listeners.set(listener, token);
    this.ofNode.set(this.listeners.size);
    listener.once('close', () => {
      this.listeners.delete(listener);
      this.ofNode.set(this.listeners.size);
    });
    this.looking ??= setTimeout(() => this.look(), 0);
    this.beating ??= setTimeout(() => this.beat(), beatEveryMs);
  }

  close(): void {
    if (this.looking) clearTimeout(this.looking);
    if (this.beating) clearTimeout(this.beating);
    for (const listener of this.listeners.keys()) listener.end();
  }

  private async look(): Promise<void> {
    const found = await this.database.read(noAccounts, readChangeMarks).catch(() => null);
    if (found !== null) await this.report(found);
    this.looking = this.listeners.size > 0 ? setTimeout(() => this.look(), lookEveryMs) : null;
    if (this.looking === null) this.marks = null;
  }

  private async report(found: Record<LiveTopic, string>): Promise<void> {
    const before = this.marks;
    const changed = before === null ? [] : liveTopics.filter((topic) => found[topic] !== before[topic]);
    // A counter moves before its row is visible, so each change is reported twice.
    const topics = [...new Set([...changed, ...this.lately])];
    this.lately = changed;
    this.marks = found;
    if (topics.length > 0) await this.sendChange(topics);
    // Every action that ends a session is in the audit log.
    if (before === null || changed.includes('audit')) await this.endSignedOut();
  }

  /** The page then reads lists that must have the change, so the position is read after it. */
  private async sendChange(topics: LiveTopic[]): Promise<void> {
    const seen = this.reads.seenBy([]);
    await this.reads.showEverything(seen);
    const text = this.reads.textOf(seen);
    const change: LiveChange = { topics, ...(text === null ? {} : { seen: text }) };
    this.sendAll(`event: change\ndata: ${JSON.stringify(change)}\n\n`);
  }

  private async beat(): Promise<void> {
    await this.endSignedOut();
    this.sendAll(': still here\n\n');
    this.beating = this.listeners.size > 0 ? setTimeout(() => this.beat(), beatEveryMs) : null;
  }

  private async endSignedOut(): Promise<void> {
    for (const [listener, token] of this.listeners) {
      const session = await this.sessions.find(token).catch(() => undefined);
      if (session === null) listener.end('event: signed-out\ndata: {}\n\n');
    }
  }

  private sendAll(text: string): void {
    for (const listener of this.listeners.keys()) {
      if (listener.writableEnded) continue;
      if (listener.writableLength > unreadMaxBytes) listener.destroy();
      else listener.write(text);
    }
  }
}
