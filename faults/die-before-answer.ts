/**
 * Loaded into a node before anything else (NODE_OPTIONS=--import): as soon as the file of FAULT_ARM_FILE is there, the node kills itself when it is
 * about to write the next answer that matches the file's pattern. What it would have answered is kept beside the file.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';

const armFile = process.env.FAULT_ARM_FILE;

function dieIfDue(socket: Socket & { server?: unknown }, chunk: unknown): void {
  // Only what was accepted has a server: requests come from there.
  if (!armFile || !socket.server || chunk === undefined || chunk === null || typeof chunk === 'function') return;
  const text = String(chunk);
  const wanted = armedWith(armFile);
  if (wanted === null || !new RegExp(wanted, 's').test(text)) return;
  appendFileSync(`${armFile}.withheld`, `${text.slice(text.indexOf('{'))}\n`);
  rmSync(armFile);
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment, in which nothing must be written.
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
