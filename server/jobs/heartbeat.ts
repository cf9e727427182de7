import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  forgetSilentNodes,
  type NodeRole,
  removeNode,
  signEverySeconds,
  signNode,
} from '../domain/overview/node-queries.ts';
import type { Database } from '../platform/postgres/database.ts';
import { noAccounts } from '../platform/postgres/sql.ts';

/** A heartbeat that takes longer is abandoned: the next one replaces it, and silent nodes are removed anyway. */
const withinSeconds = 2;

/** Records every few seconds that this process is alive, and removes the record on exit. Ignores database outages. */
export function startHeartbeat(
  database: Database,
  { role, version, masterKeyId }: { role: NodeRole; version: string; masterKeyId: string },
): { close(): Promise<void> } {
  const node = { nodeId: randomUUID(), host: hostname(), pid: process.pid, role, version, masterKeyId };
  let signing: Promise<void> | null = null;

  async function sign(): Promise<void> {
    await database.read(noAccounts, (sql) => signNode(sql, node), withinSeconds);
    await database.read(noAccounts, forgetSilentNodes, withinSeconds);
  }

  function signUnlessSigning(): void {
    signing ??= sign()
      .catch(() => {})
      .finally(() => {
        signing = null;
      });
  }

  signUnlessSigning();
  const timer = setInterval(signUnlessSigning, signEverySeconds * 1000);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await signing;
      await database.read(noAccounts, (sql) => removeNode(sql, node.nodeId), withinSeconds).catch(() => {});
    },
  };
}
