/**
 * A separate process with a number of connections, each sending the next request immediately after a response; uses
 * bare sockets to keep its own cost low.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { makeRandom } from '../faults/random.ts';
import { makeAnswerReader } from './answer-reader.ts';
import { benchAccount } from './bench-accounts.ts';
import { answerLoadCommands } from './load-commands.ts';
import type { LoadReport, LoadSlice, Requests } from './load-generator.ts';
import { orderBody } from './order-shapes.ts';
import { signedRequest } from './signed-request.ts';

const drainSecondsMax = 10;
const answerBytesMax = 16 * 1024;

answerLoadCommands(async (slice) => {
  const requests = prepare(slice);
  const lines = await Promise.all(Array.from({ length: slice.connections }, () => openLine(slice.port)));
  return () => work(slice, requests, lines);
});

function prepare({ requests, requestsMax }: LoadSlice): Buffer[] {
  if (requests.kind === 'same') return Array(requestsMax).fill(Buffer.from(requests.bytes, 'base64'));
  const { shape, accounts, numbersBeginWith, seed } = requests;
  const random = makeRandom(seed);
  return Array.from({ length: requestsMax }, (_, index) =>
    signedRequest(
      'outbound/create',
      orderBody(shape, `${numbersBeginWith}${index}`, random),
      benchAccount(index % accounts),
    ),
  );
}

function isRight(requests: Requests, status: number, body: Buffer): boolean {
  return requests.kind === 'same' ? status === requests.status : status === 200 && body.includes('"idempotent":false');
}

interface Line {
  socket: Socket;
  /** Handles each chunk that arrives. */
  read: (piece: Buffer) => void;
}

async function openLine(port: number): Promise<Line> {
  // Reading into one buffer saves a quarter of the cost of a request.
  const callback = (bytes: number, buffer: Uint8Array) => {
    line.read((buffer as Buffer).subarray(0, bytes));
    return true;
  };
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: { buffer: Buffer.alloc(answerBytesMax), callback },
  });
  const line: Line = { socket, read: () => {} };
  await once(socket, 'connect');
  return line;
}

/**
 * Runs until the end of the period or until all requests are used, then waits for requests in flight, which do not
 * count towards the rate.
 */
function work(slice: LoadSlice, requests: Buffer[], lines: Line[]): Promise<LoadReport> {
  const reported = Promise.withResolvers<LoadReport>();
  const latencies = new Float64Array(requests.length);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + slice.seconds * 1000;
  const result = { rightInTime: 0, acknowledged: 0, wrong: 0, unanswered: 0, example: '' };
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
      if (isRight(slice.requests, status, body)) {
        result.acknowledged += 1;
        if (now <= endsAt) {
          latencies[result.rightInTime++] = now - askedAt;
          lastInTime = now;
        }
      } else {
        result.wrong += 1;
        result.example ||= `${status} ${body.toString().slice(0, 300)}`;
      }
      ask();
    });
    socket.on('error', () => {});
    socket.on('close', onBroken);
    ask();
  }

  const drain = setTimeout(
    () => lines.forEach(({ socket }) => void socket.destroy()),
    (slice.seconds + drainSecondsMax) * 1000,
  );

  function report() {
    clearTimeout(drain);
    const seconds = sent === requests.length ? (lastInTime - startedAt) / 1000 : slice.seconds;
    const { user, system } = process.cpuUsage(cpuBefore);
    reported.resolve({
      ...result,
      seconds,
      latenciesMs: latencies.slice(0, result.rightInTime).sort(),
      ranOut: sent === requests.length,
      cpuShare: (user + system) / 1e6 / seconds,
    });
  }
  return reported.promise;
}
