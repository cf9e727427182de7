import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';

/** Counts of requests by their fate. */
export interface NetworkTally {
  passed: number;
  cutInRequest: number;
  cutInAnswer: number;
  /** The node processed the request, but the caller did not receive the response. */
  cutBeforeAnswer: number;
  duplicated: number;
  delayed: number;
}

/** A proxy between callers and one node. */
export interface BadNetwork {
  url: string;
  tally: NetworkTally;
  close(): void;
}

type Fate = keyof NetworkTally;

/** Half of the requests are forwarded unchanged. */
const fates: Fate[] = ['cutInRequest', 'cutInAnswer', 'cutBeforeAnswer', 'duplicated', 'delayed'];
const delayMsMax = 400;
const piecesMax = 8;
/** The delay of a copy, realistic for a network. */
const copyDelayMsMax = 1500;
/** The time limit for the response to a copy. */
const copyAnsweredWithinMs = 30_000;

/**
 * A proxy that simulates an unreliable network: it breaks connections in the middle of requests and responses, sends a
 * request two or three times, immediately or after others, to any node, and delivers late and in pieces. It detects the
 * end of a request and does not change any bytes.
 */
export async function openBadNetwork(node: ServiceNode, all: ServiceNode[], random: Random): Promise<BadNetwork> {
  const tally: NetworkTally = {
    passed: 0,
    cutInRequest: 0,
    cutInAnswer: 0,
    cutBeforeAnswer: 0,
    duplicated: 0,
    delayed: 0,
  };
  const sockets = new Sockets();
  const server = createServer({ noDelay: true }, (near) => {
    const far = sockets.open(node.url);
    new BadConnection(sockets.add(near), far, { all, random, tally, sockets }).carry();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tally,
    close() {
      server.close();
      sockets.destroy();
    },
  };
}

/** All open sockets of the network. */
class Sockets {
  private readonly all = new Set<Socket>();

  open(url: string): Socket {
    return this.add(connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true }));
  }

  add(socket: Socket): Socket {
    this.all.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.all.delete(socket));
    return socket;
  }

  destroy(): void {
    for (const socket of this.all) socket.destroy();
  }
}

interface Network {
  all: ServiceNode[];
  random: Random;
  tally: NetworkTally;
  sockets: Sockets;
}

/** One connection of a caller (near) and its counterpart to the node (far). */
class BadConnection {
  private readonly near: Socket;
  private readonly far: Socket;
  private readonly network: Network;
  private readonly random: Random;
  private fate: Fate = 'passed';
  private request = Buffer.alloc(0);
  private answered: Promise<void> = Promise.resolve();

  constructor(near: Socket, far: Socket, network: Network) {
    this.near = near;
    this.far = far;
    this.network = network;
    this.random = network.random;
  }

  carry(): void {
    this.near.on('data', (bytes: Buffer) => this.takeRequest(bytes));
    this.far.on('data', (bytes: Buffer) => this.takeAnswer(bytes));
    this.near.on('close', () => this.far.destroy());
    this.far.on('close', () => this.near.destroy());
  }

  private takeRequest(bytes: Buffer): void {
    this.request = Buffer.concat([this.request, bytes]);
    if (!isWhole(this.request)) return;
    const whole = this.request;
    this.request = Buffer.alloc(0);
    this.fate = this.random.oneIn(2) ? 'passed' : this.random.anyOf(fates);
    this.network.tally[this.fate]++;
    void this.send(whole);
  }

  private takeAnswer(bytes: Buffer): void {
    const { near, random } = this;
    if (this.fate === 'cutBeforeAnswer') this.breakOff();
    else if (this.fate === 'cutInAnswer')
      near.write(bytes.subarray(0, random.upTo(bytes.length - 1)), () => this.breakOff());
    else if (this.fate === 'delayed') this.answered = this.answered.then(() => this.sendInPieces(bytes, near));
    else near.write(bytes);
  }

  private async send(whole: Buffer): Promise<void> {
    const { far, random } = this;
    if (this.fate === 'duplicated') await this.sendCopies(whole);
    if (this.fate === 'cutInRequest') {
      far.write(whole.subarray(0, random.upTo(whole.length - 1)));
      await sleep(random.between(0, delayMsMax));
      this.breakOff();
    } else if (this.fate === 'delayed') await this.sendInPieces(whole, far);
    else far.write(whole);
  }

  private async sendInPieces(bytes: Buffer, to: Socket): Promise<void> {
    const step = Math.ceil(bytes.length / this.random.upTo(piecesMax));
    for (let from = 0; from < bytes.length; from += step) {
      await sleep(this.random.between(0, delayMsMax / piecesMax));
      to.write(bytes.subarray(from, from + step));
    }
  }

  /** Closes the connection with FIN or with RST. */
  private breakOff(): void {
    for (const socket of [this.near, this.far]) {
      if (this.random.oneIn(2)) socket.resetAndDestroy();
      else socket.destroy();
    }
  }

  /**
   * Sends several copies concurrently or one after the other. The copy whose response is forwarded is the last: a later
   * one could carry out a request whose rejection its caller has just received, which no service could prevent.
   */
  private async sendCopies(request: Buffer): Promise<void> {
    const copies = Array.from({ length: this.random.upTo(2) }, () => this.sendCopy(request).catch(() => {}));
    await Promise.all(copies);
    if (this.random.oneIn(2)) await sleep(this.random.between(0, copyDelayMsMax));
  }

  /** Sends a copy to any node and discards the response. */
  private async sendCopy(request: Buffer): Promise<void> {
    const socket = this.network.sockets.open(this.random.anyOf(this.network.all).url);
    socket.setTimeout(copyAnsweredWithinMs, () => socket.destroy());
    socket.write(request);
    let answer = Buffer.alloc(0);
    for await (const bytes of socket) {
      answer = Buffer.concat([answer, bytes]);
      if (isWhole(answer)) return void socket.destroy();
    }
  }
}

const endOfHead = Buffer.from('\r\n\r\n');

/** Relies on callers to send a content length and to wait for each response. */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(endOfHead);
  if (headEnd < 0) return false;
  const [, length = '0'] = /^content-length: *(\d+)\r?$/im.exec(bytes.toString('latin1', 0, headEnd)) ?? [];
  return bytes.length >= headEnd + endOfHead.length + Number(length);
}
