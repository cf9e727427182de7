import type { DatabaseHost } from './connection-target.ts';

/** `unusable`: the server answers, but not as we need it, with the reason for people. */
export type ServerRole = 'primary' | 'standby' | { unreachable: string } | { unusable: string };
export type AskRole = (server: DatabaseHost) => Promise<ServerRole>;

/** Finds the one server among several that accepts writes. */
export interface PrimaryFinder {
  /** The primary. If none is found, the servers in turn, so that the connection attempt fails with its own reason. */
  find(): Promise<DatabaseHost>;
  /** Why no server that answers can be used, for people; null if there is a primary, or if no server answers. */
  explain(): Promise<string | null>;
}

/** Connections that are opened at the same moment share one search. */
const foundIsValidMs = 500;

export function makePrimaryFinder(servers: DatabaseHost[], askRole: AskRole): PrimaryFinder {
  let turn = 0;
  let last: { found: Promise<DatabaseHost | null>; atMs: number } | null = null;
  let lastRoles: { asked: Promise<ServerRole[]>; atMs: number } | null = null;

  async function search(): Promise<DatabaseHost | null> {
    const asked = servers.map(async (server) => {
      if ((await askRole(server)) !== 'primary') throw new Error('not the primary');
      return server;
    });
    return await Promise.any(asked).catch(() => null);
  }

  return {
    async find() {
      if (last === null || performance.now() - last.atMs > foundIsValidMs)
        last = { found: search(), atMs: performance.now() };
      return (await last.found) ?? servers[turn++ % servers.length]!;
    },
    async explain() {
      if (lastRoles === null || performance.now() - lastRoles.atMs > foundIsValidMs)
        lastRoles = { asked: Promise.all(servers.map(askRole)), atMs: performance.now() };
      const roles = await lastRoles.asked;
      return roles.includes('primary') ? null : explainRoles(roles);
    },
  };
}

/** Does not name servers, because readiness is public. */
function explainRoles(roles: ServerRole[]): string | null {
  const unreachable = roles.flatMap((role) =>
    typeof role === 'object' && 'unreachable' in role ? [role.unreachable] : [],
  );
  const unusable = roles.flatMap((role) => (typeof role === 'object' && 'unusable' in role ? [role.unusable] : []));
  const standbys = roles.length - unreachable.length - unusable.length;
  if (standbys + unusable.length === 0) return null;
  if (roles.length === 1) return unusable[0] ?? 'the server is a standby and accepts no writes';
  return [
    `no server accepts writes; standbys: ${standbys}`,
    ...(unreachable.length > 0 ? [`out of reach: ${unreachable.length} (${distinct(unreachable)})`] : []),
    ...(unusable.length > 0 ? [`unusable: ${unusable.length} (${distinct(unusable)})`] : []),
  ].join(', ');
}

function distinct(causes: string[]): string {
  return [...new Set(causes)].join(', ');
}
