import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DatabaseUser, folderThatBlocks, mayRead } from './embedded-postgres/database-user.ts';

const root = new URL('../../', import.meta.url);
/** Ours, one that a build makes, and one that npm brought: a umask may have closed any of them. */
const samples = ['package.json', 'server/main.ts', 'console/dist/index.html', 'sdk/lading-client.tgz', 'node_modules/fastify/package.json'];

/** Whether the files of this program can still be read after the process has become this user. */
export function mayReadProgram(user: DatabaseUser): boolean {
  const paths = samples.map((name) => fileURLToPath(new URL(name, root))).filter((path) => existsSync(path));
  return paths.every((path) => folderThatBlocks(path, user) === undefined && mayRead(statSync(path), user));
}

/** For good: neither this process nor whoever takes it over can become root again. Throws where the system does not allow it. */
export function becomeUser({ uid, gid }: DatabaseUser): void {
  process.setgroups!([gid]);
  process.setgid!(gid);
  process.setuid!(uid);
}
