import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** `closed`: the connection ended before a response was complete. `silent`: no response came in time. */
export type RawEnd = RawAnswer | 'closed' | 'silent';

/** A connection that sends exactly the given bytes. */
export interface RawConnection {
  socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** The next response; a response to HEAD has no body. */
  answer(withinMs?: number, isHead?: boolean): Promise<RawEnd>;
  isOpen(): boolean;
  end(): void;
}

/** Longer than the service waits for an incomplete request. */
const answerWithinMs = 20_000;

export function openRawConnection(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset is reported as a closed connection.
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
    wake();
  });

  function take(isHead: boolean): RawAnswer | null {
    const complete = firstAnswer(received, isHead);
    if (!complete) return null;
    received = received.subarray(complete.length);
    return complete.answer.status === 100 ? take(isHead) : complete.answer;
  }

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    async answer(withinMs = answerWithinMs, isHead = false) {
      const giveUpAt = performance.now() + withinMs;
      for (;;) {
        const answer = take(isHead);
        if (answer) return answer;
        if (ended) return 'closed';
        const leftMs = giveUpAt - performance.now();
        if (leftMs <= 0) return 'silent';
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    isOpen: () => !ended && socket.writable,
    end: () => void socket.destroy(),
  };
}

function firstAnswer(received: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine, ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const bodyStart = headEnd + 4;
  const length = bodyStart + (isHead ? 0 : Number(headers['content-length'] ?? 0));
  if (received.length < length) return null;
  return {
    answer: { status: Number(statusLine!.split(' ')[1]), headers, body: received.toString('utf8', bodyStart, length) },
    length,
  };
}

/** A request as bytes. The content length follows from the body unless the headers set it. */
export function rawRequest(
  method: string,
  path: string,
  headers: [string, string][],
  body: string | Uint8Array = '',
): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const names = headers.map(([name]) => name.toLowerCase());
  const isFramed = names.includes('content-length') || names.includes('transfer-encoding');
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(names.includes('host') ? [] : ['host: lading.test']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isFramed || bytes.length === 0 ? [] : [`content-length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}
