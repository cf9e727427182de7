import { execFile } from 'node:child_process';
import { globSync, lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findInPath, provideUnpacked } from './unpacked-program.ts';

interface Interpreter {
  title: string;
  packages: string[];
  absent: RegExp;
  /** The arguments with which the program prints its version. */
  versionArguments: string[];
  /** The commands and the lines of shell that run them, with the unpacked folder in `$here`. */
  commands(find: (pattern: string) => string): Record<string, string>;
}

/** Programs of partners' languages, by the command that the tests look for. */
const interpreters = {
  php: {
    title: "Debian's PHP for the tests of its client",
    packages: ['php-cli'],
    absent: /^php/,
    versionArguments: ['--version'],
    commands: (find) => ({
      php: `exec "$here/${find('usr/bin/php[0-9]*')}" -n -d extension_dir="$here/${dirname(find('usr/lib/php/*/ctype.so'))}" -d extension=ctype "$@"`,
    }),
  },
  python3: {
    title: "Debian's Python for the tests of its client",
    packages: ['python3'],
    absent: /^(lib)?python3/,
    versionArguments: ['--version'],
    commands: (find) => ({ python3: `PYTHONHOME="$here/usr" exec "$here/${find('usr/bin/python3.[0-9]*')}" "$@"` }),
  },
  java: {
    title: "Debian's Java for npm run check:clients",
    packages: ['default-jdk-headless'],
    absent: /^(openjdk|default-j)/,
    versionArguments: ['--version'],
    commands: (find) => ({ java: `exec "$here/${find('usr/lib/jvm/java-*-openjdk-*/bin/java')}" "$@"` }),
  },
  go: {
    title: "Debian's Go for npm run check:clients",
    packages: ['golang-go'],
    absent: /^golang/,
    versionArguments: ['version'],
    commands: (find) => ({
      go: `GOROOT="$here/${find('usr/lib/go-*')}" GOFLAGS=-mod=mod exec "$here/${find('usr/lib/go-*/bin/go')}" "$@"`,
    }),
  },
  mcs: {
    title: "Debian's Mono for npm run check:clients",
    packages: ['mono-mcs', 'libmono-system-net-http4.0-cil'],
    absent: /^(lib)?mono/,
    versionArguments: ['--version'],
    commands: (find) => ({
      mcs: `exec "$here/bin/mono" "$here/${find('usr/lib/mono/4.5/mcs.exe')}" "$@"`,
      mono: `MONO_PATH="$here/usr/lib/mono/4.5" MONO_CFG_DIR="$here/etc" exec "$here/${find('usr/bin/mono-sgen')}" "$@"`,
    }),
  },
} satisfies Record<string, Interpreter>;

export type InterpreterName = keyof typeof interpreters;
export const interpreterNames = Object.keys(interpreters) as InterpreterName[];

/** Adds the folder of Debian's program to the PATH of this process, unless the PATH has the program. */
export async function provideInterpreter(name: InterpreterName): Promise<void> {
  if (findInPath([name]) !== null) return;
  const { commands, ...interpreter }: Interpreter = interpreters[name];
  try {
    const path = await provideUnpacked({
      ...interpreter,
      folderName: `lading-${name}`,
      launcher: `bin/${name}`,
      unpack: (packages, folder) => unpack(packages, folder, commands),
    });
    process.env.PATH = `${dirname(path)}:${process.env.PATH}`;
  } catch (error) {
    throw new Error(
      `${name} is not in the PATH, and ${interpreter.title} could not be fetched: ${(error as Error).message}`,
    );
  }
}

async function unpack(packages: string[], folder: string, commands: Interpreter['commands']): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  for (const path of packages) await promisify(execFile)('dpkg-deb', ['--extract', path, folder]);
  redirectLinks(folder);
  const libraries = new Set(globSync('{usr/,}lib/**/*.so{,.*}', { cwd: folder }).map(dirname));
  const find = (pattern: string) => {
    const [found] = globSync(pattern, { cwd: folder }).sort();
    if (found === undefined) throw new Error(`there is no ${pattern}`);
    return found;
  };
  for (const [command, line] of Object.entries(commands(find))) {
    const paths = [...libraries].sort().map((library) => `"$here/${library}"`);
    const script = `#!/bin/sh
here=$(dirname "$(dirname "$(readlink -f "$0")")")
export LD_LIBRARY_PATH=${paths.join(':')}
${line}
`;
    await writeFile(join(folder, 'bin', command), script, { mode: 0o755 });
  }
}

/** Debian's links from one top-level folder to another are absolute. */
function redirectLinks(folder: string): void {
  for (const path of globSync('**', { cwd: folder }).map((name) => join(folder, name))) {
    if (!lstatSync(path).isSymbolicLink() || !readlinkSync(path).startsWith('/')) continue;
    const target = relative(dirname(path), join(folder, readlinkSync(path)));
    rmSync(path);
    symlinkSync(target, path);
  }
}
