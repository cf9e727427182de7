import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DatabaseUser, folderThatBlocks, mayRead } from './postgres/embedded/database-user.ts';

const root = new URL('../../', import.meta.url);
/** A source file, a build artifact and a file installed by npm; a umask may have made any of them unreadable. */
const samples = [
  'package.json',
  'cli/serve.ts',
  'console/dist/index.html',
  'sdk/lading-client.tgz',
  'node_modules/fastify/package.json',
];

/** Whether this user can read the files of this program. */
export function mayReadProgram(user: DatabaseUser): boolean {
  const paths = samples.map((name) => fileURLToPath(new URL(name, root))).filter((path) => existsSync(path));
  return paths.every((path) => folderThatBlocks(path, user) === undefined && mayRead(statSync(path), user));
}

/**
 * Switches permanently: neither this process nor an attacker in it can become root again. Throws if the system does not
 * allow it.
 */
export function becomeUser({ uid, gid }: DatabaseUser): void {
  process.setgroups!([gid]);
  process.setgid!(gid);
  process.setuid!(uid);
}
