import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { forgetSilentNodes, type NodeRole, removeNode, signEverySeconds, signNode } from '../domain/operators/node-queries.ts';
import type { Database } from '../platform/database.ts';

/** Neither a sign nor the last one is worth waiting for: the next one says the same, and whoever falls silent is seen to. */
const withinSeconds = 2;

/** Writes down every few seconds that this process is there, and takes that back when it stops. A database that is away changes nothing. */
export function startSignOfLife(database: Database, { role, version }: { role: NodeRole; version: string }): { close(): Promise<void> } {
  const node = { nodeId: randomUUID(), host: hostname(), pid: process.pid, role, version };
  let signing: Promise<void> | null = null;

  async function sign(): Promise<void> {
    await database.read((sql) => signNode(sql, node), withinSeconds);
    await database.read(forgetSilentNodes, withinSeconds);
  }

  function signInTurn(): void {
    signing ??= sign()
      .catch(() => {})
      .finally(() => {
        signing = null;
      });
  }

  signInTurn();
  const timer = setInterval(signInTurn, signEverySeconds * 1000);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await signing;
      await database.read((sql) => removeNode(sql, node.nodeId), withinSeconds).catch(() => {});
    },
  };
}
