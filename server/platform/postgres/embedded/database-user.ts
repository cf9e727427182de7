import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The system user that PostgreSQL runs as: our own or, since PostgreSQL refuses to run as root, an unprivileged one.
 */
export interface DatabaseUser {
  uid: number;
  gid: number;
  name: string;
  /** The options of `spawn` to run as this user: none if we are this user. */
  spawnAs: { uid: number; gid: number } | Record<string, never>;
}

const usualUidOfNobody = 65534;

export function runsAsRoot(): boolean {
  return process.geteuid!() === 0;
}

/** For root, a cluster stays with the user who created it, so that root's commands work beside that user's server. */
export function databaseUserFor(clusterFolder: string): DatabaseUser {
  if (!runsAsRoot()) {
    const [uid, gid] = [process.geteuid!(), process.getegid!()];
    return { uid, gid, name: nameOfUser(uid), spawnAs: {} };
  }
  const cluster = statSync(clusterFolder, { throwIfNoEntry: false });
  if (!cluster || cluster.uid === 0) return unprivilegedUser();
  const { uid, gid } = cluster;
  return { uid, gid, name: nameOfUser(uid), spawnAs: { uid, gid } };
}

/** The user of root's processes if no cluster determines one. */
export function unprivilegedUser(): DatabaseUser {
  const { uid, gid } = nobody();
  return { uid, gid, name: nameOfUser(uid), spawnAs: { uid, gid } };
}

function nobody(): { uid: number; gid: number } {
  const entry = passwdEntries().find(({ name }) => name === 'nobody');
  return entry ?? { uid: usualUidOfNobody, gid: usualUidOfNobody };
}

export function nameOfUser(uid: number): string {
  const entry = passwdEntries().find((candidate) => candidate.uid === uid);
  return entry ? `user ${entry.name}` : `user number ${uid}`;
}

function passwdEntries(): { name: string; uid: number; gid: number }[] {
  let passwd = '';
  try {
    passwd = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // A container image may have none; the callers handle that.
  }
  return passwd
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':');
      // macOS writes nobody as -2.
      return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
    });
}

/** The first folder on the way to `path` that the user may not enter; a path that does not exist yet blocks nobody. */
export function folderThatBlocks(path: string, user: DatabaseUser): string | undefined {
  for (const folder of foldersAbove(realPathOfExisting(path))) {
    if (!mayExecute(statSync(folder), user)) return folder;
  }
  return undefined;
}

export function mayExecute(file: Stats, user: DatabaseUser): boolean {
  return (file.mode & permissionBit(file, user, 0o1)) !== 0;
}

export function mayRead(file: Stats, user: DatabaseUser): boolean {
  return (file.mode & permissionBit(file, user, 0o4)) !== 0;
}

function permissionBit(file: Stats, user: DatabaseUser, bit: number): number {
  if (file.uid === user.uid) return bit << 6;
  if (file.gid === user.gid) return bit << 3;
  return bit;
}

function foldersAbove(path: string): string[] {
  const parent = dirname(path);
  if (parent === path) return [];
  return [...foldersAbove(parent), parent].filter((folder) => statSync(folder, { throwIfNoEntry: false }));
}

/** Resolves links as far as the path exists. */
export function realPathOfExisting(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return join(realPathOfExisting(parent), path.slice(parent.length));
}
