import { once } from 'node:events';
import { Agent, createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './patience.ts';

/** A load balancer for several nodes: it checks their readiness and sends new work to those that are ready. */
export interface Balancer {
  url: string;
  /** Whether the balancer considers this node ready. */
  trusts(nodeUrl: string): boolean;
  close(): Promise<void>;
}

interface Upstream {
  port: number;
  isReady: boolean;
  /** When the last readiness check started. */
  lookedAt: number;
  looking: Promise<void> | null;
  agent: Agent;
}

export const checkEveryMs = 250;
/** A slow node still counts as ready within this time. */
const checkWithinMs = 10_000;
/**
 * If the machine paused for longer, a node may have drained and exited in the meantime, so it is checked again before
 * it gets work.
 */
const believedMs = 1000;
/** How long a request waits if no node is ready. */
const readyWithinMs = 10_000;

/**
 * `requests`: every request goes to the next node, over persistent connections. `connections`: a connection stays with
 * the node to which it was assigned. Neither retries: if a request fails at a node, it fails for the caller.
 */
export async function startBalancer(kind: 'requests' | 'connections', nodeUrls: string[]): Promise<Balancer> {
  const upstreams: Upstream[] = nodeUrls.map((url) => ({
    port: Number(new URL(url).port),
    isReady: false,
    lookedAt: 0,
    looking: null,
    agent: newAgent(),
  }));
  let turn = 0;
  async function nextReady(): Promise<Upstream | undefined> {
    let ready: Upstream[] = [];
    const isOneReady = async () => {
      const old = upstreams.filter(({ isReady, lookedAt }) => isReady && performance.now() - lookedAt > believedMs);
      await Promise.all(old.map((upstream) => look(upstream, stopping.signal)));
      ready = upstreams.filter((upstream) => upstream.isReady);
      return ready.length > 0 || stopping.signal.aborted;
    };
    await eventually(isOneReady, { withinMs: readyWithinMs });
    return ready[turn++ % ready.length];
  }

  const stopping = new AbortController();
  const sockets = new Set<Socket>();
  const server: Server =
    kind === 'requests'
      ? createHttpServer({ keepAliveTimeout: 0, requestTimeout: 0 }, async (asked, answer) =>
          passRequest(asked, answer, await nextReady()),
        )
      : createTcpServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, async (socket) =>
          passConnection(socket, await nextReady()),
        );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // This can also happen before the request has been forwarded.
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const checking = upstreams.map((upstream) => checkUntil(stopping.signal, upstream));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    trusts: (nodeUrl) => upstreams[nodeUrls.indexOf(nodeUrl)]!.isReady,
    async close() {
      stopping.abort();
      await Promise.all(checking);
      for (const socket of sockets) socket.destroy();
      for (const { agent } of upstreams) agent.destroy();
      server.close();
    },
  };
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true });
}

async function checkUntil(stop: AbortSignal, upstream: Upstream): Promise<void> {
  while (!stop.aborted) {
    await look(upstream, stop);
    await sleep(checkEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

/** Concurrent callers share one check. */
function look(upstream: Upstream, stop: AbortSignal): Promise<void> {
  upstream.looking ??= lookNow(upstream, stop).finally(() => {
    upstream.looking = null;
  });
  return upstream.looking;
}

async function lookNow(upstream: Upstream, stop: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const isReady = await fetch(`http://127.0.0.1:${upstream.port}/health/ready`, {
    headers: { connection: 'close' },
    signal: AbortSignal.any([stop, AbortSignal.timeout(checkWithinMs)]),
  }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (upstream.isReady && !isReady) forgetIdleConnections(upstream);
  upstream.isReady = isReady;
  upstream.lookedAt = startedAt;
}

/** Requests in progress are allowed to finish. */
function forgetIdleConnections({ agent }: Upstream): void {
  for (const idle of Object.values(agent.freeSockets)) for (const socket of idle ?? []) socket.destroy();
}

function passRequest(asked: IncomingMessage, answer: ServerResponse, upstream: Upstream | undefined): void {
  function fail(reason: string): void {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ balancer: reason }));
  }
  if (!upstream) {
    fail('no node is ready');
    return;
  }
  const { connection: _, ...headers } = asked.headers;
  const { method, url: path } = asked;
  const { port, agent } = upstream;
  const passed = request({ host: '127.0.0.1', port, agent, method, path, headers });
  passed.on('error', (error: NodeJS.ErrnoException) => fail(`${error.code ?? error.message} at ${port}`));
  passed.on('response', (answered) => {
    const { connection: _connection, 'keep-alive': _keepAlive, ...own } = answered.headers;
    answer.writeHead(answered.statusCode!, own);
    answered.on('error', () => answer.destroy());
    answered.pipe(answer);
  });
  asked.pipe(passed);
}

function passConnection(client: Socket, upstream: Upstream | undefined): void {
  if (client.destroyed) return;
  if (!upstream) {
    client.destroy();
    return;
  }
  const node = connect({ host: '127.0.0.1', port: upstream.port, allowHalfOpen: true, noDelay: true });
  client.on('error', () => node.destroy());
  node.on('error', () => client.resetAndDestroy());
  client.pipe(node).pipe(client);
}
