import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';

/** What became of requests. */
export interface NetworkTally {
  passed: number;
  cutInRequest: number;
  cutInAnswer: number;
  /** The node worked, and the caller never heard of it. */
  cutBeforeAnswer: number;
  duplicated: number;
  delayed: number;
}

/** Between callers and one node. */
export interface BadNetwork {
  url: string;
  tally: NetworkTally;
  close(): void;
}

type Fate = keyof NetworkTally;

/** Half of the requests come through as they were sent. */
const fates: Fate[] = ['cutInRequest', 'cutInAnswer', 'cutBeforeAnswer', 'duplicated', 'delayed'];
const delayMsMax = 400;
const piecesMax = 8;
/** A copy comes about as late as a network would bring it. */
const copyDelayMsMax = 1500;
/** Whoever waits longer for the answer of a copy waits in vain. */
const copyAnsweredWithinMs = 30_000;

/**
 * A proxy that is as bad as networks are: it breaks connections in the middle of requests and of answers, sends a request two or three times, at once
 * and after others, to any node, and delivers late and in pieces. It knows where a request ends, and leaves all bytes as they are.
 */
export async function openBadNetwork(node: ServiceNode, all: ServiceNode[], random: Random): Promise<BadNetwork> {
  const tally: NetworkTally = { passed: 0, cutInRequest: 0, cutInAnswer: 0, cutBeforeAnswer: 0, duplicated: 0, delayed: 0 };
  const sockets = new Set<Socket>();

  function open(url: string): Socket {
    return known(connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true }));
  }

  function known(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  /** To any node; done when it is answered, which nobody hears. */
  async function sendCopy(request: Buffer): Promise<void> {
    const socket = open(random.anyOf(all).url);
    socket.setTimeout(copyAnsweredWithinMs, () => socket.destroy());
    socket.write(request);
    let answer = Buffer.alloc(0);
    for await (const bytes of socket) {
      answer = Buffer.concat([answer, bytes]);
      if (isWhole(answer)) return void socket.destroy();
    }
  }

  /**
   * Several at once, or one after the other. The one whose answer is heard comes last: a copy behind it could carry out what its caller was just
   * refused, and nobody can help that.
   */
  async function sendCopies(request: Buffer): Promise<void> {
    const copies = Array.from({ length: random.upTo(2) }, () => sendCopy(request).catch(() => {}));
    await Promise.all(copies);
    if (random.oneIn(2)) await sleep(random.between(0, copyDelayMsMax));
  }

  function carry(near: Socket): void {
    const far = open(node.url);
    let fate: Fate = 'passed';
    let request = Buffer.alloc(0);
    let answered: Promise<void> = Promise.resolve();

    near.on('data', (bytes: Buffer) => {
      request = Buffer.concat([request, bytes]);
      if (!isWhole(request)) return;
      const whole = request;
      request = Buffer.alloc(0);
      fate = random.oneIn(2) ? 'passed' : random.anyOf(fates);
      tally[fate]++;
      void send(whole);
    });

    async function send(whole: Buffer): Promise<void> {
      if (fate === 'duplicated') await sendCopies(whole);
      if (fate === 'cutInRequest') {
        far.write(whole.subarray(0, random.upTo(whole.length - 1)));
        await sleep(random.between(0, delayMsMax));
        breakOff();
      } else if (fate === 'delayed') await sendInPieces(whole, far);
      else far.write(whole);
    }

    async function sendInPieces(bytes: Buffer, to: Socket): Promise<void> {
      const step = Math.ceil(bytes.length / random.upTo(piecesMax));
      for (let from = 0; from < bytes.length; from += step) {
        await sleep(random.between(0, delayMsMax / piecesMax));
        to.write(bytes.subarray(from, from + step));
      }
    }

    /** With a farewell, or with a reset. */
    function breakOff(): void {
      for (const socket of [near, far]) {
        if (random.oneIn(2)) socket.resetAndDestroy();
        else socket.destroy();
      }
    }

    far.on('data', (bytes: Buffer) => {
      if (fate === 'cutBeforeAnswer') breakOff();
      else if (fate === 'cutInAnswer') near.write(bytes.subarray(0, random.upTo(bytes.length - 1)), breakOff);
      else if (fate === 'delayed') answered = answered.then(() => sendInPieces(bytes, near));
      else near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  const server = createServer({ noDelay: true }, (near) => carry(known(near)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tally,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const endOfHead = Buffer.from('\r\n\r\n');

/** Callers say how long a body is, and wait for an answer before they go on. */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(endOfHead);
  if (headEnd < 0) return false;
  const [, length = '0'] = /^content-length: *(\d+)\r?$/im.exec(bytes.toString('latin1', 0, headEnd)) ?? [];
  return bytes.length >= headEnd + endOfHead.length + Number(length);
}
