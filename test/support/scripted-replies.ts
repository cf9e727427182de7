import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Reply = (response: ServerResponse, asked: Asked) => void;

/** Starts a service that replies as told, and records what it was asked. */
export async function startService(reply: Reply): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const one = { path: request.url!, headers: request.headers, body: await text(request) };
    asked.push(one);
    reply(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Sends these replies one after the other, and the last one from then on. */
export function inTurn(...replies: Reply[]): Reply {
  let next = 0;
  return (response, asked) => replies[Math.min(next++, replies.length - 1)]!(response, asked);
}

export const answers =
  (status: number, json: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'trace-id': 'trace-1', ...headers })
      .end(JSON.stringify(json));
