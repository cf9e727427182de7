import { Socket } from 'node:net';

/** Larger than any group: a socket that reports itself full makes the driver wait for an answer between two statements. */
const writableHighWaterMark = 256 * 1024 * 1024;

/** Where the driver wants to connect to: a unix socket, or one of several hosts. */
interface Target {
  path?: string | false | undefined;
  host: string[];
  port: number[];
}

/** Connects as the driver itself would, to one host after the other; what is written in one go leaves in one go. */
export function makeBatchingConnector(): (target: Target) => Socket {
  let attempts = 0;
  return ({ path, host, port }) => {
    const socket = gatherWrites(new Socket({ writableHighWaterMark } as ConstructorParameters<typeof Socket>[0]));
    const index = attempts++ % host.length;
    return path ? socket.connect(path) : socket.connect(port[index]!, host[index]!);
  };
}

/** The driver writes statement by statement. Each write is a system call and wakes PostgreSQL, which then waits for the next one. */
function gatherWrites(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let gathering = false;

  function send(): void {
    gathering = false;
    socket.uncork();
  }

  socket.write = (...args: unknown[]) => {
    if (!gathering) {
      gathering = true;
      socket.cork();
      process.nextTick(send);
    }
    return write(...args);
  };
  return socket;
}
