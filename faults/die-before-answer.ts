/**
 * Loaded into a node with NODE_OPTIONS=--import. While the file FAULT_ARM_FILE exists, the node kills itself instead of
 * writing the next response that matches the pattern in the file. It stores the withheld response beside the file.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';

const armFile = process.env.FAULT_ARM_FILE;

function dieIfDue(socket: Socket & { server?: unknown }, chunk: unknown): void {
  // Only accepted sockets have a server; outgoing connections are left alone.
  if (!armFile || !socket.server || chunk === undefined || chunk === null || typeof chunk === 'function') return;
  const text = String(chunk);
  const wanted = armedWith(armFile);
  if (wanted === null || !new RegExp(wanted, 's').test(text)) return;
  appendFileSync(`${armFile}.withheld`, `${text.slice(text.indexOf('{'))}\n`);
  rmSync(armFile);
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment to arrive, and nothing may be written until then.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

function armedWith(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

for (const name of ['write', 'end'] as const) {
  const original = Socket.prototype[name] as (...args: unknown[]) => never;
  Socket.prototype[name] = function dying(this: Socket, ...args: unknown[]) {
    dieIfDue(this, args[0]);
    return original.apply(this, args);
  };
}
