import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runMinutesMax = 10;
const outputBytesMax = 10_000_000;
const quotedLinesMax = 3;
const machineStatus = '/var/lib/dpkg/status';
/** It depends on these, and uses them only with a screen. */
const neededWithScreen = ['x11-utils', 'xdg-utils'];

/** Paths of a package of Debian's and of those that this machine lacks for it. Of the machine's apt, only how it reaches its mirrors is used. */
export async function fetchPackages(wanted: string, folder: string, announce: (megabytes: number) => void): Promise<string[]> {
  const archives = join(folder, 'archives');
  for (const path of [archives, join(folder, 'lists')]) await mkdir(join(path, 'partial'), { recursive: true });
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  await writeFile(join(folder, 'status'), pretendedStatus(await readFile(machineStatus, 'utf8'), architecture));
  await writeFile(join(folder, 'apt.conf'), ownConfiguration((await run('apt-config', ['dump'])).stdout, folder));
  const apt = (...words: string[]) => run('apt-get', ['--quiet', '--yes', ...words], { APT_CONFIG: join(folder, 'apt.conf') });

  // An update that reached nothing is a success with complaints.
  const { stderr: complaints } = await apt('update');
  const { stdout: uris } = await apt('install', '--print-uris', wanted).catch((error: Error) => {
    throw new Error([error.message, ...lastLines(complaints)].join('; '));
  });
  announce(megabytesOf(uris));
  await apt('install', '--download-only', wanted);
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name));
}

/** What the machine has, without a Chromium that it may have somewhere, and with what ours does without. */
function pretendedStatus(status: string, architecture: string): string {
  const present = status.split(/\n\n+/).filter((entry) => entry !== '' && !/^Package: chromium(-|$)/m.test(entry));
  const names = new Set(present.map((entry) => /^Package: (.*)$/m.exec(entry)?.[1]));
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
  return [...present, ...pretended, ''].join('\n\n');
}

/** The machine's other settings stay out: among them are programs that apt runs after an update, some of which clear the machine's own cache. */
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
    // There is nobody to share this folder with, and no right to lock the machine's.
    'Debug::NoLocking': 'true',
    // The user that apt would become, if it is root, may not enter a home of mode 0700.
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
