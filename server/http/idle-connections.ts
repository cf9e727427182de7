import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { requestDeadlineSeconds } from './limits.ts';

/**
 * Makes a shutdown wait for requests in progress only. Node does not treat a connection that has never sent a request
 * as idle, and it enforces no deadlines while the server closes.
 */
export function closeIdleConnections(app: FastifyInstance, idle: Set<Socket>): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
  });
  app.server.on('request', ({ socket }) => idle.delete(socket));
  app.addHook('preClose', async () => {
    for (const socket of idle) socket.destroy();
    // Node's own list lacks the connections that a plugin serves.
    const closeAll = () => open.forEach((socket) => void socket.destroy());
    setTimeout(closeAll, requestDeadlineSeconds * 1000).unref();
  });
}
