import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { makeAnswerReader } from './answer-reader.ts';

export interface Answer {
  status: number;
  body: Buffer;
  /** The status line and the headers. */
  head: string;
}

export interface Connection {
  ask(request: Buffer): Promise<Answer>;
  close(): void;
}

/** Sends requests one after the other, each after the previous response. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connectSocket({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let pending = Promise.withResolvers<Answer>();
  const read = makeAnswerReader((status, body, head) => pending.resolve({ status, body, head }));
  socket.on('data', read);
  socket.on('close', () => pending.reject(new Error('the connection closed')));
  return {
    ask(request) {
      pending = Promise.withResolvers<Answer>();
      socket.write(request);
      return pending.promise;
    },
    close() {
      pending.promise.catch(() => {});
      socket.destroy();
    },
  };
}
