import { connect, type Socket } from 'node:net';
import { signRequest } from '../sdk/client.ts';
import { faultAccount } from './child-process.ts';

/** The behaviour of each connection in a crowd. */
export type CrowdKind = 'silent' | 'trickling' | 'hoarding' | 'endless' | 'lying' | 'asking';

export interface CrowdReport {
  open: number;
  connected: number;
  /** Number of responses by status. */
  statuses: Record<string, number>;
  /** The longest lifetime of any connection, closed or still open. */
  longestLifeMs: number;
}

/** A separate process that keeps `size` connections open. When the service closes one, another replaces it. */
const [kind, port, size] = process.argv.slice(2) as [CrowdKind, string, string];
const stockPath = '/warehouse/v1/stock/query';
const head = `POST ${stockPath} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
const joinWithinMs = 2000;
const againAfterMs = 50;

const open = new Map<Socket, number>();
const statuses: Record<string, number> = {};
let connected = 0;
let longestLifeMs = 0;

const requests = Array.from({ length: 200 }, (_, index) => signedRequest(`F${index}`));

function signedRequest(skuId: string): string {
  const body = JSON.stringify({ sku_ids: [skuId] });
  const { accountNo, secret } = faultAccount;
  const headers = { ...signRequest({ accountNo, secret, body }), 'content-length': body.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${head}${lines.join('')}\r\n${body}`;
}

/** Writes the first bytes of a new connection. Returned text is sent repeatedly until the connection closes. */
const sayings: Record<CrowdKind, (socket: Socket, index: number) => { text: string; everyMs: number } | null> = {
  silent: () => null,
  trickling(socket, index) {
    const inBody = index % 2 === 0;
    socket.write(inBody ? `${head}content-length: 1000000\r\n\r\n` : head);
    return { text: inBody ? 'x' : 'x: y\r\n', everyMs: 1000 };
  },
  // Sends all but the last byte of the largest allowed body, and then nothing.
  hoarding(socket) {
    socket.write(`${head}content-length: 1048576\r\n\r\n`);
    socket.write(Buffer.alloc(1_048_575, 'x'));
    return null;
  },
  endless(socket) {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    return { text: `10000\r\n${'x'.repeat(65_536)}\r\n`, everyMs: 20 };
  },
  // Sends more than it announced, less than it announced, or far more than the service allows.
  lying(socket, index) {
    const announced = [10, 100_000, 104_857_600][index % 3]!;
    socket.write(`${head}content-length: ${announced}\r\n\r\n${'x'.repeat(50_000)}`);
    return announced > 1_048_576 ? { text: 'x'.repeat(65_536), everyMs: 20 } : null;
  },
  asking(socket, index) {
    socket.write(requests[index % requests.length]!);
    return null;
  },
};

function join(index: number): void {
  const socket = connect(Number(port), '127.0.0.1');
  let count = index;
  let again: NodeJS.Timeout | undefined;
  socket.setEncoding('latin1').on('error', () => {});
  socket.on('connect', () => {
    connected++;
    open.set(socket, performance.now());
    const said = sayings[kind](socket, index);
    // Stops writing while the service does not read.
    if (said) again = setInterval(() => socket.writableLength < 1_000_000 && socket.write(said.text), said.everyMs);
  });
  // Responses of the service are small, so each arrives in one piece.
  socket.on('data', (text) => {
    const status = String(text).slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (kind === 'asking') socket.write(requests[++count % requests.length]!);
  });
  socket.on('close', () => {
    clearInterval(again);
    noteLife(open.get(socket));
    open.delete(socket);
    setTimeout(() => join(index), againAfterMs);
  });
}

function noteLife(since: number | undefined): void {
  if (since !== undefined) longestLifeMs = Math.max(longestLifeMs, performance.now() - since);
}

for (let index = 0; index < Number(size); index++) setTimeout(() => join(index), (index / Number(size)) * joinWithinMs);
setInterval(() => {
  for (const since of open.values()) noteLife(since);
  const report: CrowdReport = { open: open.size, connected, statuses, longestLifeMs: Math.round(longestLifeMs) };
  // The parent process may have exited.
  process.send?.(report, () => {});
}, 200);
process.on('disconnect', () => process.exit());
