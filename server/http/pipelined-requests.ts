import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface PipelineGuardParts {
  /** Connections known to have pipelined their next request, which this guard cannot see itself. */
  pipelined: WeakSet<Socket>;
  rejectPipelinedExpect(socket: Socket): void;
  /** Closes a connection that Node no longer watches. */
  closeOnceAnswered(socket: Socket): void;
}

/**
 * Closes the connections on which Node would mix up pipelined requests:
 *
 * - Node queues the `100 Continue` of a pipelined request and may write it between the head and the body of that
 *   request's response. Such a request is rejected after the earlier responses. A client that waits for each response
 *   never sends one.
 * - Node's parser drops the bytes that follow a request with `Upgrade` in the same read. We accept no upgrade, so the
 *   request is served as usual, but its response says `Connection: close`, and later requests are not served: the
 *   client knows which requests it has to send again.
 * - When a CONNECT arrives, Node destroys the connection at once: earlier requests get no response, and queued ones
 *   never finish. We accept no CONNECT, and close its connection after the earlier responses.
 */
export function makePipelineGuard({ pipelined, rejectPipelinedExpect, closeOnceAnswered }: PipelineGuardParts) {
  const upgrades = new WeakSet<IncomingMessage>();
  const closing = new WeakSet<Socket>();

  return {
    /** An option of Node's server. Node calls it for exactly the requests after which its parser stops. */
    shouldUpgradeCallback(request: IncomingMessage): boolean {
      upgrades.add(request);
      return false;
    },
    guard(server: Server): void {
      const [serve] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
      server.off('request', serve!);
      server.on('request', (request, response) => {
        const { socket } = request;
        pipelined.delete(socket);
        if (closing.has(socket)) {
          request.resume();
          return;
        }
        if (upgrades.has(request)) {
          closing.add(socket);
          response.shouldKeepAlive = false;
        }
        serve!.call(server, request, response);
      });

      server.on('checkContinue', (request, response) => {
        const { socket } = request;
        const isPipelined = response.socket === null || pipelined.has(socket);
        if (isPipelined && !closing.has(socket)) {
          rejectPipelinedExpect(socket);
          closing.add(socket);
        }
        if (!closing.has(socket)) response.writeContinue();
        server.emit('request', request, response);
      });

      server.on('connect', (_request, socket) => closeOnceAnswered(socket as Socket));
    },
  };
}
