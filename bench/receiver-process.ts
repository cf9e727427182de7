/**
 * A separate process with callback receivers: one that responds immediately and records arrivals, and others that never
 * respond.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiverBehaviour = 'answers' | 'hangs' | 'drips' | 'is gone';
export type ReceiverCommand = { kind: 'open'; behaviours: ReceiverBehaviour[] } | { kind: 'collect' };
export type ReceiverReport =
  | { kind: 'opened'; urls: string[] }
  /** The first arrival of each event (epoch milliseconds), and the number of repeats. */
  | { kind: 'collected'; arrivals: [eventId: string, atMs: number][]; repeated: number };

const dripEveryMs = 1000;
const arrivals = new Map<string, number>();
let repeated = 0;

async function open(behaviour: ReceiverBehaviour): Promise<string> {
  const server = serverFor(behaviour);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (behaviour === 'is gone') await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/callbacks`;
}

function serverFor(behaviour: ReceiverBehaviour): Server {
  return createServer((request, response) => {
    const atMs = performance.timeOrigin + performance.now();
    request.resume().on('end', () => {
      if (behaviour === 'hangs') return;
      if (behaviour === 'drips') {
        const drip = setInterval(() => response.socket?.write('H'), dripEveryMs);
        response.once('close', () => clearInterval(drip));
        return;
      }
      note(String(request.headers['webhook-id']), atMs);
      response.writeHead(200, { 'content-length': 2 }).end('ok');
    });
  });
}

function note(eventId: string, atMs: number): void {
  if (arrivals.has(eventId)) repeated++;
  else arrivals.set(eventId, atMs);
}

process.on('message', async (command: ReceiverCommand) => {
  if (command.kind === 'open') report({ kind: 'opened', urls: await Promise.all(command.behaviours.map(open)) });
  else {
    report({ kind: 'collected', arrivals: [...arrivals], repeated });
    arrivals.clear();
    repeated = 0;
  }
});
process.on('disconnect', () => process.exit());

function report(message: ReceiverReport): void {
  process.send!(message);
}
