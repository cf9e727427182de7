import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runMinutesMax = 10;
const outputBytesMax = 10_000_000;
const quotedLinesMax = 3;
const machineStatus = '/var/lib/dpkg/status';
/** Dependencies that Chromium needs only with a display. */
const neededWithScreen = ['x11-utils', 'xdg-utils'];

/**
 * Downloads Debian packages and their missing dependencies, and returns their paths. Installed packages whose names match
 * `absent` are downloaded too. Of the machine's apt configuration, only the mirrors are used.
 */
export async function fetchPackages(
  wanted: string | string[],
  folder: string,
  announce: (megabytes: number) => void,
  absent = /^chromium(-|$)/,
): Promise<string[]> {
  const names = [wanted].flat();
  const archives = join(folder, 'archives');
  for (const path of [archives, join(folder, 'lists')]) await mkdir(join(path, 'partial'), { recursive: true });
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  await writeFile(join(folder, 'status'), pretendedStatus(await readFile(machineStatus, 'utf8'), absent, architecture));
  await writeFile(join(folder, 'apt.conf'), ownConfiguration((await run('apt-config', ['dump'])).stdout, folder));
  const apt = (...words: string[]) =>
    run('apt-get', ['--quiet', '--yes', ...words], { APT_CONFIG: join(folder, 'apt.conf') });

  // apt reports success even if an update could not reach any mirror.
  const { stderr: complaints } = await apt('update');
  const { stdout: uris } = await apt('install', '--print-uris', ...names).catch((error: Error) => {
    throw new Error([error.message, ...lastLines(complaints)].join('; '));
  });
  announce(megabytesOf(uris));
  await apt('install', '--download-only', ...names);
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name));
}

/**
 * The installed packages without the absent ones, and with the packages that our Chromium does not need. What installed
 * packages depend on is left out, because apt would refuse to work without the absent ones.
 */
function pretendedStatus(status: string, absent: RegExp, architecture: string): string {
  const nameOf = (entry: string) => /^Package: (.*)$/m.exec(entry)?.[1] ?? '';
  const present = status.split(/\n\n+/).filter((entry) => entry !== '' && !absent.test(nameOf(entry)));
  const independent = present.map((entry) => entry.replaceAll(/^(Pre-)?Depends: .*\n/gm, ''));
  const names = new Set(present.map(nameOf));
  const pretended = neededWithScreen
    .filter((name) => !names.has(name))
    .map((name) =>
      [
        `Package: ${name}`,
        'Status: install ok installed',
        'Maintainer: nobody',
        `Architecture: ${architecture}`,
        'Multi-Arch: foreign',
        'Version: 9999:0',
        'Description: not here',
      ].join('\n'),
    );
  return [...independent, ...pretended, ''].join('\n\n');
}

/**
 * Ignores the machine's other settings: they include programs that apt runs after an update, some of which clear the
 * machine's own cache.
 */
function ownConfiguration(dump: string, folder: string): string {
  const reach = dump.split('\n').filter((line) => /^(Acquire|Dir::Etc)::\S+ ".*";$/.test(line));
  const own = {
    'Dir::Etc::main': '/dev/null',
    'Dir::Etc::parts': '/dev/null',
    'Dir::State': folder,
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': folder,
    'Dir::Cache::archives': join(folder, 'archives'),
    'Dir::Log': folder,
    // The folder is not shared, and we may not be allowed to lock the machine's own.
    'Debug::NoLocking': 'true',
    // If started as root, apt switches to a user that cannot enter a home folder of mode 0700.
    'APT::Sandbox::User': 'root',
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
  };
  return [...reach, ...Object.entries(own).map(([name, value]) => `${name} "${value}";`), ''].join('\n');
}

function megabytesOf(uris: string): number {
  const sizes = [...uris.matchAll(/^'\S+' \S+ (\d+) /gm)].map(([, bytes]) => Number(bytes));
  return Math.round(sizes.reduce((sum, bytes) => sum + bytes, 0) / 1e6);
}

async function run(
  program: string,
  words: string[],
  environment: Record<string, string> = {},
): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, LC_ALL: 'C', ...environment };
  const options = { env, timeout: runMinutesMax * 60_000, maxBuffer: outputBytesMax };
  return await promisify(execFile)(program, words, options).catch((error: Error & { stderr?: string }) => {
    throw new Error([`${program} ${words.join(' ')}`, ...lastLines(error.stderr || error.message)].join('; '));
  });
}

function lastLines(text: string): string[] {
  return text.trim().split('\n').slice(-quotedLinesMax);
}
