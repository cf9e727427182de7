import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';

/** A receiver of posts that may do anything which can be done over a socket. */
export interface HostileReceiver {
  url: string;
  port: number;
  /** Complete requests, in the order of arrival. */
  requests: ReceivedRequest[];
  /** How many were ever opened. */
  connections(): number;
  /** How many bytes the other side has let us send. */
  bytesSent(): number;
  /** Resolves when no connection is open any more. */
  allClosed(): Promise<void>;
  /** Closes what is open; the next ones are welcome. */
  cut(): void;
  stop(): Promise<void>;
}

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** The reaction to a complete request. */
export type Behaviour = (socket: Socket, request: ReceivedRequest) => void;

interface ReceiverOptions {
  host?: string;
  port?: number;
  tls?: { key: string; cert: string };
  /** The reaction to a new connection. */
  onConnection?: (socket: Socket) => void;
}

/** It is gone when the tests of the file have run. */
export async function startHostileReceiver(
  behaviour: Behaviour,
  options: ReceiverOptions = {},
): Promise<HostileReceiver> {
  const { host = '127.0.0.1', port: wishedPort = 0, tls, onConnection } = options;
  const requests: ReceivedRequest[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  let bytesSentBefore = 0;
  let whenClosed = () => {};

  function welcome(socket: Socket): void {
    connections++;
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      bytesSentBefore += socket.bytesWritten;
      open.delete(socket);
      if (open.size === 0) whenClosed();
    });
    onConnection?.(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      behaviour(socket, request);
    });
  }

  const server: Server = tls ? createTlsServer(tls, welcome) : createServer(welcome);
  server.on('tlsClientError', () => {});
  server.listen(wishedPort, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const stop = async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  };
  after(stop);

  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/callbacks`,
    port,
    requests,
    connections: () => connections,
    bytesSent: () =>
      [...open].reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, bytesSentBefore),
    allClosed: () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => (whenClosed = resolve))),
    cut,
    stop,
  };
}

function readRequests(socket: Socket, onRequest: (request: ReceivedRequest) => void): void {
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const [requestLine, ...lines] = received.slice(0, headEnd).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => line.split(/:\s*(.*)/, 2).map((part, at) => (at === 0 ? part.toLowerCase() : part))),
      );
      const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
      if (received.length < bodyEnd) return;
      const [method, path] = requestLine!.split(' ');
      const body = Buffer.from(received.slice(headEnd + 4, bodyEnd), 'latin1').toString('utf8');
      received = received.slice(bodyEnd);
      onRequest({ method: method!, path: path!, headers, body });
    }
  });
}

/** The usual answer, with its length. */
export function answers(
  status: number,
  body: string | Uint8Array = '',
  headers: Record<string, string> = {},
): Behaviour {
  return (socket) => {
    const bytes = Buffer.from(body as Uint8Array);
    socket.write(Buffer.concat([head(status, { ...headers, 'content-length': String(bytes.length) }), bytes]));
  };
}

/** Exactly these bytes. */
export function says(text: string | Uint8Array): Behaviour {
  return (socket) => void socket.write(text);
}

export const hangs: Behaviour = () => {};
export const hangsUp: Behaviour = (socket) => void socket.end();
export const resets: Behaviour = (socket) => void socket.resetAndDestroy();

/** One after the other, far enough apart to arrive alone. */
export function drips(text: string): Behaviour {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => (at < text.length ? socket.write(text[at++]!) : clearInterval(timer)), 2);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Says the first once and the second for as long as anybody listens. */
export function saysEndlessly(first: string, again: string | Uint8Array): Behaviour {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', more);
    socket.write(first);
    more();
  };
}

export function saysThenResets(text: string): Behaviour {
  return (socket) => {
    socket.write(text);
    setTimeout(() => socket.resetAndDestroy(), 20);
  };
}

/** 100 MB that come as 100 KB. */
export const gzipBomb: Behaviour = (socket, request) =>
  answers(200, gzipSync(Buffer.alloc(100_000_000)), { 'content-encoding': 'gzip' })(socket, request);

export function head(status: number, headers: Record<string, string>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n`, 'latin1');
}

/** Made for these tests alone and trusted by nobody else; for `receiver.test` and `localhost`, valid until 2124. */
export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwV3V+8XBTbIrmHRI
akRYzVbjI2PPge3WPek19HD2rkihRANCAARewCI3fDLxa/FXkHuclQLgYUlI9Y6P
xFxBN09R1b5CZ1cu2bTG1Pyli8c00VRRsvgMOlgfZHyvQmck0J8lIApA
-----END PRIVATE KEY-----`;
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBejCCASCgAwIBAgIUClmkrYcWkewXAgxKKFH9OZMgkRcwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNDAxMDEwMDAwMDBaGA8yMTI0
MDEwMTAwMDAwMFowGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABF7AIjd8MvFr8VeQe5yVAuBhSUj1jo/EXEE3T1HVvkJn
Vy7ZtMbU/KWLxzTRVFGy+Aw6WB9kfK9CZyTQnyUgCkCjRjBEMCMGA1UdEQQcMBqC
DXJlY2VpdmVyLnRlc3SCCWxvY2FsaG9zdDAdBgNVHQ4EFgQUmOpkwdJYrmdGg7se
njPzmLc9PjIwCgYIKoZIzj0EAwIDSAAwRQIgRMXitmT2kS3xDaG2Kd8UrwfjdCYJ
dzEzJSTtowOxEQ0CIQD5m4VHzNZoCel4JpLg9Neeg1H1jMZmcCILdcBYH6iCnA==
-----END CERTIFICATE-----`;
/** A certificate for the same key that expired in 2021. */
export const expiredCertificate = `-----BEGIN CERTIFICATE-----
MIIBeDCCAR6gAwIBAgIUKFonE8zONO/hN2N/IlO+togtsrowCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAeFw0yMDAxMDEwMDAwMDBaFw0yMTAx
MDEwMDAwMDBaMBgxFjAUBgNVBAMMDXJlY2VpdmVyLnRlc3QwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARewCI3fDLxa/FXkHuclQLgYUlI9Y6PxFxBN09R1b5CZ1cu
2bTG1Pyli8c00VRRsvgMOlgfZHyvQmck0J8lIApAo0YwRDAjBgNVHREEHDAagg1y
ZWNlaXZlci50ZXN0gglsb2NhbGhvc3QwHQYDVR0OBBYEFJjqZMHSWK5nRoO7Hp4z
85i3PT4yMAoGCCqGSM49BAMCA0gAMEUCIDAzs+RX1l9aidpw7R+Kx9Sr+pqe12hM
70awPyLVwHJIAiEAw4RXqWDAhCSd1FTu2/ESq8NE0a3ydxcE4lBWDD8ymOQ=
-----END CERTIFICATE-----`;
