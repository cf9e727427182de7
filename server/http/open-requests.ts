import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

export type OpenRequests = ReturnType<typeof trackOpenRequests>;

/** Tracks the requests of each connection that Node reads, until they are answered. */
export function trackOpenRequests() {
  /** If bytes are invalid or late, they belong to this request. */
  const latest = new WeakMap<Socket, FastifyReply>();
  const unanswered = new WeakMap<Socket, Set<FastifyReply>>();
  const broken = new WeakSet<Socket>();

  /** Complete requests before the broken one get their responses first, because their work may already be done. */
  function onceAnswered(socket: Socket, answer: (latest: FastifyReply | undefined) => void): void {
    if (broken.has(socket)) return;
    broken.add(socket);
    const complete = [...(unanswered.get(socket) ?? [])].filter((reply) => reply.request.raw.complete);
    if (complete.length === 0) {
      answer(latest.get(socket));
      return;
    }
    socket.pause();
    const closed = complete.map((reply) => new Promise((resolve) => reply.raw.once('close', resolve)));
    void Promise.all(closed).then(() => answer(latest.get(socket)));
  }

  return {
    onceAnswered,
    add(reply: FastifyReply): void {
      const { socket } = reply.request.raw;
      const others = unanswered.get(socket) ?? new Set();
      latest.set(socket, reply);
      unanswered.set(socket, others.add(reply));
      reply.raw.once('close', () => others.delete(reply));
    },
    /** For a connection that Node no longer watches: it ends after its responses, or its requests end with it. */
    closeOnceAnswered(socket: Socket): void {
      socket.on('error', () => {});
      socket.on('timeout', () => socket.destroy());
      socket.once('close', () => {
        for (const reply of unanswered.get(socket) ?? []) reply.raw.destroy();
      });
      onceAnswered(socket, () => socket.end(() => socket.destroy()));
    },
  };
}
