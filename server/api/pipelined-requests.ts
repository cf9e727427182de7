import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes the connections on which Node would mix up pipelined requests:
 *
 * - Node queues the `100 Continue` of a pipelined request and may write it between the head and the body of that request's response. Such a request
 *   is refused after the earlier responses. A client that waits for each response never sends one.
 * - Node's parser drops the bytes that follow a request with `Upgrade` in the same read. We accept no upgrade, so the request is served as usual, but
 *   its response says `Connection: close`, and nothing behind it is served: the client knows which requests it has to send again.
 */
export function makePipelineGuard(refusePipelinedExpect: (socket: Socket) => void) {
  const upgrades = new WeakSet<IncomingMessage>();
  const early = new WeakSet<Socket>();
  const closing = new WeakSet<Socket>();

  return {
    /** Connections whose next request was received before the previous response was sent, although Node cannot see that. */
    early: early as Pick<WeakSet<Socket>, 'add'>,
    /** An option of Node's server, which calls it exactly for the requests after which its parser stops. */
    shouldUpgradeCallback(request: IncomingMessage): boolean {
      upgrades.add(request);
      return false;
    },
    guard(server: Server): void {
      const [serve] = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
      server.off('request', serve!);
      server.on('request', (request, response) => {
        const { socket } = request;
        early.delete(socket);
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
        const isPipelined = response.socket === null || early.has(socket);
        if (isPipelined && !closing.has(socket)) {
          refusePipelinedExpect(socket);
          closing.add(socket);
        }
        if (!closing.has(socket)) response.writeContinue();
        server.emit('request', request, response);
      });
    },
  };
}

export type EarlyRequests = ReturnType<typeof makePipelineGuard>['early'];
