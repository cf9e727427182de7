import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { DirectResponse } from '../../server/http/direct-lane.ts';
import type { CheckAnswer, GivenAnswer, Mounts } from './answer-check.ts';
import { documentOf, type SocketAnswer, socketAnswerChannel, type TallyLine } from './answers-held.ts';

/**
 * Loaded into every process of a test run (see global-setup.ts): all responses of our Fastify instances are checked
 * against the OpenAPI document. By itself this file loads almost nothing, because most commands that tests start never
 * serve a request.
 */
const folder = new URL(import.meta.url).searchParams.get('folder');
if (folder !== null) watch(folder);

type MakeCheck = (mounts: Mounts) => CheckAnswer;

function watch(folder: string): void {
  const file = join(folder, `${process.pid}-${randomUUID()}`);
  // Opened now, because a service that gives up root may not be able to do so later.
  const tally = openSync(file, 'a');
  const write = (line: TallyLine) => writeSync(tally, `${JSON.stringify(line)}\n`);
  const apps = new WeakMap<FastifyInstance, WatchedApp>();
  let answers = 0;
  let makeCheck: MakeCheck | null = null;
  const early: (() => void)[] = [];

  /** Responses are queued until the checks are loaded. */
  function hold(app: WatchedApp, answer: GivenAnswer): void {
    if (!app.isOurs) return;
    if (makeCheck === null) {
      early.push(() => hold(app, answer));
      return;
    }
    answers++;
    app.check ??= makeCheck(app.mounts);
    const mistakes = app.check(answer);
    // Written immediately, because a killed process cannot write later.
    if (mistakes.length > 0)
      write({ mismatch: `${answer.method} ${answer.path} ${answer.status}: ${mistakes.join('; ')}` });
  }

  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    void import('./answer-check.ts').then(({ makeAnswerCheck }) => {
      makeCheck ??= remembering((mounts) =>
        makeAnswerCheck(mounts, JSON.parse(readFileSync(documentOf(folder), 'utf8'))),
      );
      for (const holdNow of early.splice(0)) holdNow();
    });
    apps.set(fastify, watchApp(fastify, hold));
  });
  subscribe('lading.direct-response', (message) => {
    const { http, ...answer } = message as DirectResponse;
    const app = apps.get(http);
    if (!app) return;
    app.held.add(answer.headers['trace-id']!);
    hold(app, { ...answer, method: 'POST', route: answer.path });
  });
  subscribe(socketAnswerChannel, (message) => {
    const { http, answer } = message as SocketAnswer;
    const app = apps.get(http);
    if (!app || app.held.has(String(answer.headers['trace-id']))) return;
    hold(app, { ...answer, method: '(socket)', path: null, route: null });
  });
  process.on('exit', () => write({ answers }));
}

/** Shares one check among apps with the same mount points. */
function remembering(make: MakeCheck): MakeCheck {
  const checks = new Map<string, CheckAnswer>();
  return (mounts) => {
    const key = JSON.stringify(mounts);
    const made = checks.get(key) ?? make(mounts);
    checks.set(key, made);
    return made;
  };
}

interface WatchedApp {
  /** Ignores other instances, such as the one with the script of the reference page, which have no external callers. */
  isOurs: boolean;
  mounts: Mounts;
  check: CheckAnswer | null;
  /** Trace ids of responses that may also be checked at the socket. */
  held: Set<string>;
}

/** Derives the mount points from the routes. */
function watchApp(fastify: FastifyInstance, hold: (app: WatchedApp, answer: GivenAnswer) => void): WatchedApp {
  const app: WatchedApp = { isOurs: false, mounts: { warehouse: null, logistics: null }, check: null, held: new Set() };
  fastify.addHook('onRoute', ({ url }) => {
    if (url === '/health/live') app.isOurs = true;
    if (url.endsWith('/product/sync')) app.mounts.warehouse = url.slice(0, -'/product/sync'.length);
    if (url.endsWith('/purchases/purchase')) app.mounts.logistics = url.slice(0, -'/purchases/purchase'.length);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    app.held.add(request.id);
    hold(app, {
      method: request.method,
      path: request.url.split('?', 1)[0]!,
      route: request.is404 ? null : (request.routeOptions.url ?? null),
      status: reply.statusCode,
      headers: reply.getHeaders(),
      body: payload,
    });
    done();
  });
  return app;
}
