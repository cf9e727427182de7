/** A process of its own: so many connections, each asking again the moment it has its answer; bare sockets, so that it costs little. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { OutboundCreateBody } from '../contract/warehouse/outbound-create.ts';
import { makeAnswerReader } from './answer-reader.ts';
import { quantile } from './figures.ts';
import type { LoadCommand, LoadResult, LoadSlice, Requests } from './load-generator.ts';
import { consignee, type Shape, shipMethod, skuIdsOf } from './order-shapes.ts';
import { signedRequest, tenant } from './signed-request.ts';

const drainSecondsMax = 10;
const answerBytesMax = 16 * 1024;
let begin = (): void => {};

process.on('message', async (command: LoadCommand) => {
  switch (command.kind) {
    case 'prepare': {
      const { slice } = command;
      const requests = prepare(slice);
      const lines = await Promise.all(Array.from({ length: slice.connections }, () => openLine(slice.port)));
      begin = () => work(slice, requests, lines);
      return process.send!('prepared');
    }
    case 'begin':
      return begin();
    default:
      return command satisfies never;
  }
});

function prepare({ requests, requestsMax }: LoadSlice): Buffer[] {
  if (requests.kind === 'same') return Array(requestsMax).fill(Buffer.from(requests.bytes, 'base64'));
  const { shape, numbersBeginWith } = requests;
  return Array.from({ length: requestsMax }, (_, index) => orderRequest(shape, `${numbersBeginWith}${index}`));
}

function isRight(requests: Requests, status: number, body: Buffer): boolean {
  return requests.kind === 'same' ? status === requests.status : status === 200 && body.includes('"idempotent":false');
}

function orderRequest(shape: Shape, number: string): Buffer {
  const body: OutboundCreateBody = {
    outbound_short_id: number,
    warehouse_tpw_id: tenant,
    ...(consignee as typeof consignee & { consignee_country: 'TW' }),
    ...shipMethod,
    details: skuIdsOf(shape).map((sku_id) => ({ sku_id, qty: 1 })),
  };
  return signedRequest('outbound/create', body);
}

interface Line {
  socket: Socket;
  /** What is done with each piece that arrives. */
  read: (piece: Buffer) => void;
}

async function openLine(port: number): Promise<Line> {
  // Reading into one buffer saves a quarter of what a request costs here.
  const callback = (bytes: number, buffer: Uint8Array) => {
    line.read((buffer as Buffer).subarray(0, bytes));
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: Buffer.alloc(answerBytesMax), callback } });
  const line: Line = { socket, read: () => {} };
  await once(socket, 'connect');
  return line;
}

/** Until the time is up or all requests are used; those in flight are then waited for, but not counted into the rate. */
function work(slice: LoadSlice, requests: Buffer[], lines: Line[]): void {
  const latencies = new Float64Array(requests.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + slice.seconds * 1000;
  const result = { answeredInTime: 0, acknowledged: 0, wrong: 0, unanswered: 0, example: '' };
  let lastInTime = startedAt;
  let sent = 0;
  let busy = lines.length;

  for (const line of lines) {
    const { socket } = line;
    let askedAt = 0;
    const ask = () => {
      askedAt = performance.now();
      if (askedAt >= endsAt || sent === requests.length) return leave();
      socket.write(requests[sent++]!);
    };
    const leave = () => {
      socket.off('close', onBroken).destroy();
      busy -= 1;
      if (busy === 0) report();
    };
    const onBroken = () => {
      result.unanswered += 1;
      leave();
    };
    line.read = makeAnswerReader((status, body) => {
      const now = performance.now();
      if (isRight(slice.requests, status, body)) result.acknowledged += 1;
      else {
        result.wrong += 1;
        result.example ||= `${status} ${body.toString().slice(0, 300)}`;
      }
      if (now <= endsAt) {
        latencies[result.answeredInTime++] = now - askedAt;
        lastInTime = now;
      }
      ask();
    });
    socket.on('error', () => {});
    socket.on('close', onBroken);
    ask();
  }

  const drain = setTimeout(() => lines.forEach(({ socket }) => void socket.destroy()), (slice.seconds + drainSecondsMax) * 1000);

  function report() {
    clearTimeout(drain);
    const sorted = latencies.subarray(0, result.answeredInTime).sort();
    const seconds = sent === requests.length ? (lastInTime - startedAt) / 1000 : slice.seconds;
    const { user, system } = process.cpuUsage(cpuBefore);
    const measured: LoadResult = {
      ...result,
      perSecond: result.answeredInTime / seconds,
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      ranOut: sent === requests.length,
      cpuShare: (user + system) / 1e6 / seconds,
    };
    process.send!(measured);
  }
}
