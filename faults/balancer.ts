import { once } from 'node:events';
import { Agent, createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** In front of several nodes, as any service has one: it asks each whether it is ready, and gives new work to those that are. */
export interface Balancer {
  url: string;
  /** Whether it would give work to this node. */
  trusts(nodeUrl: string): boolean;
  close(): Promise<void>;
}

interface Upstream {
  port: number;
  isReady: boolean;
  agent: Agent;
}

export const checkEveryMs = 250;
const checkWithinMs = 2000;

/**
 * `requests`: every request goes to the next node, over connections that are kept. `connections`: a connection stays with the node that it
 * was given to. Neither sends anything twice: what fails at a node fails for the caller.
 */
export async function startBalancer(kind: 'requests' | 'connections', nodeUrls: string[]): Promise<Balancer> {
  const upstreams = nodeUrls.map((url) => ({ port: Number(new URL(url).port), isReady: false, agent: newAgent() }));
  let turn = 0;
  function nextReady(): Upstream | undefined {
    const ready = upstreams.filter((upstream) => upstream.isReady);
    return ready[turn++ % ready.length];
  }

  const sockets = new Set<Socket>();
  const server: Server =
    kind === 'requests'
      ? createHttpServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (asked, answer) => passRequest(asked, answer, nextReady()))
      : createTcpServer({ allowHalfOpen: true, noDelay: true }, (socket) => passConnection(socket, nextReady()));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const stopping = new AbortController();
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
    const isReady = await fetch(`http://127.0.0.1:${upstream.port}/health/ready`, {
      headers: { connection: 'close' },
      signal: AbortSignal.any([stop, AbortSignal.timeout(checkWithinMs)]),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (upstream.isReady && !isReady) forgetIdleConnections(upstream);
    upstream.isReady = isReady;
    await sleep(checkEveryMs, undefined, { signal: stop }).catch(() => {});
  }
}

/** What is under way ends in its own time. */
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
  if (!upstream) {
    client.destroy();
    return;
  }
  const node = connect({ host: '127.0.0.1', port: upstream.port, allowHalfOpen: true, noDelay: true });
  client.on('error', () => node.destroy());
  node.on('error', () => client.resetAndDestroy());
  client.pipe(node).pipe(client);
}
