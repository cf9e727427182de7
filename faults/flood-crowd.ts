import { connect } from 'node:net';
import { signRequest } from '../sdk/client.ts';
import { faultAccount } from './child-process.ts';

/** A process of its own: so many connections, each asking again the moment it has an answer; bare sockets, so that it costs little. */
const [port, size, seconds] = process.argv.slice(2).map(Number) as [number, number, number];
const statuses: Record<string, number> = {};
const requests = Array.from({ length: 200 }, (_, index) => signedRequest(`F${index}`));
let stopped = false;

function signedRequest(skuId: string): string {
  const body = JSON.stringify({ sku_id: skuId, sku_name: 'Flood', storage_type: 1 });
  const { accountNo, secret } = faultAccount;
  const headers = {
    host: 'localhost',
    'content-type': 'application/json',
    ...signRequest({ accountNo, secret, body }),
    'content-length': body.length,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /warehouse/v1/product/sync HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

function ask(index: number): void {
  const socket = connect(port, '127.0.0.1');
  let count = index;
  const next = () => socket.write(requests[count++ % requests.length]!);
  socket.setEncoding('latin1').on('connect', next);
  // An answer of ours is small: it comes in one piece.
  socket.on('data', (text) => {
    const status = String(text).slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (!stopped) next();
  });
  socket.on('error', () => {
    statuses.broken = (statuses.broken ?? 0) + 1;
  });
}

for (let index = 0; index < size; index++) ask(index);
setTimeout(() => {
  stopped = true;
  process.send?.(statuses, () => process.exit());
}, seconds * 1000);
