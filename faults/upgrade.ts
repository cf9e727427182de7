import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { makeDataDir, onInterrupt, root } from './child-process.ts';
import { startConsoleReader } from './console-reader.ts';
import { ownDatabaseUrlsOf } from './database-link.ts';
import { provideDebianProgram } from './debian-programs.ts';
import { type FaultOptions, type FaultReport, FaultSkipped } from './fault.ts';
import { type HttpProxy, startHttpProxy } from './http-proxy.ts';
import { makeNewVersion, type NewVersion } from './new-version.ts';
import { eventually, extendForQuickRun, until } from './patience.ts';
import { type CommandResult, runLading } from './run-lading.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
/** Several health checks of the proxy. */
const drainSeconds = 5;
/** Few: the subject is what happens to a request, and one node must be able to serve all of them on a small machine. */
const callersPerNode = 4;
const trustedWithinMs = 60_000;
const noticedWithinMs = 10_000;
const acknowledgedBetweenSteps = { full: 500, quick: 100 };
/** Not a promise about speed: the machine may be busy. */
const acknowledgedWithinMs = 300_000;
const reader = 'reader';

/**
 * Two nodes of the version in `before` behind haproxy, under load. The next version migrates the database and replaces one
 * node after the other; then the version before replaces them again, on the migrated database. No request may fail.
 */
export async function upgrade(options: FaultOptions): Promise<FaultReport> {
  const before = resolve(options.before ?? root);
  if (!existsSync(join(before, 'cli/serve.ts'))) throw new FaultSkipped(`${before} has no version of Lading`);
  const folder = mkdtempSync(join(tmpdir(), 'lading-upgrade-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = onInterrupt(remove);
  const dataDir = makeDataDir();
  const version = makeNewVersion(1);
  try {
    const program = await provideDebianProgram('haproxy', 'usr/sbin/haproxy', folder);
    const postgres = await openEmbeddedPostgres({ dataDir });
    try {
      const startProxy = (urls: string[]) => startHttpProxy(program, folder, urls);
      return await upgradeAndRollBack({ ...options, before }, version, ownDatabaseUrlsOf(postgres), startProxy);
    } finally {
      await postgres.close();
    }
  } finally {
    version.remove();
    rmSync(dataDir, { recursive: true, force: true });
    remove();
    forget();
  }
}

async function upgradeAndRollBack(
  { quick, seed, progress, before }: FaultOptions & { before: string },
  version: NewVersion,
  databaseUrls: ReturnType<typeof ownDatabaseUrlsOf>,
  startProxy: (urls: string[]) => Promise<HttpProxy>,
): Promise<FaultReport> {
  const rounds = quick ? 1 : 3;
  const counts: Record<string, number> = { replacements: 0, slowestReplacementMs: 0, consoleReads: 0 };
  let proxy: HttpProxy | undefined;
  let isOver = false;
  try {
    const { figures, ...report } = await withWorld(
      {
        quick,
        seed,
        nodes,
        progress,
        callersPerNode,
        tree: before,
        nodesMayBeOlder: before !== resolve(root),
        databaseUrls,
        mustSucceedAtOnce: true,
        env: { DRAIN_S: String(drainSeconds) },
        async beforeLoad(started) {
          proxy = await startProxy(started.map((node) => node.url));
        },
        // Afterwards each node is called directly.
        urlOf: () => (isOver ? undefined : proxy?.url),
      },
      async (world) => {
        const scene: Scene = { world, proxy: proxy!, quick, counts, progress };
        const console = await readConsole(scene, before);
        for (let round = 1; round <= rounds; round++) {
          if (round === 1) await migrateWith(version, scene);
          await replaceAll(scene, version.tree, `round ${round}: upgraded`);
          await replaceAll(scene, before, `round ${round}: rolled back`);
        }
        counts.consoleReads = await console.stop();
        isOver = true;
      },
    );
    return { fault: 'upgrade', rounds, ...report, figures: { ...figures, drainSeconds, ...counts } };
  } finally {
    proxy?.close();
  }
}

interface Scene {
  world: World;
  proxy: HttpProxy;
  quick: boolean;
  counts: Record<string, number>;
  progress(line: string): void;
}

async function readConsole({ world, proxy }: Scene, tree: string) {
  const words = ['operator', 'create', reader, '--role', 'read-only', '--json'];
  const { stdout } = expectDone(await runLading(words, world.settings, tree), words);
  const password = (JSON.parse(stdout) as { secrets: { value: string }[] }).secrets[0]!.value;
  return await startConsoleReader(proxy.url, { username: reader, password }, (what) => world.find('wrong', what));
}

/** Nodes of the version before keep serving, and say that a newer version has migrated the database. */
async function migrateWith(version: NewVersion, scene: Scene): Promise<void> {
  const { world, quick, progress } = scene;
  await moreAcknowledged(world, quick);
  expectDone(await runLading(['migrate'], world.settings, version.tree), ['migrate']);
  world.tree = version.tree;
  for (const node of world.nodes) await expectOlder(scene, node);
  progress(`migrated with ${version.migration}; ${world.acknowledged()} acknowledged`);
  await moreAcknowledged(world, quick);
}

/** Readiness asks the database at most once a second. */
async function expectOlder({ world, quick }: Scene, node: ServiceNode): Promise<void> {
  const saysSo = async () => {
    const response = await fetch(`${node.url}/health/ready`);
    return response.ok && (await response.text()).includes('a newer version of Lading has migrated it');
  };
  if (!(await eventually(saysSo, { withinMs: extendForQuickRun(noticedWithinMs, quick), everyMs: 200 })))
    world.find('wrong', `${node.name} does not say that it is older than the database`);
}

async function replaceAll(scene: Scene, tree: string, what: string): Promise<void> {
  const { world, proxy, quick, counts, progress } = scene;
  for (const node of world.nodes) {
    const startedAt = performance.now();
    await Promise.all([node.stop(), expectDrain(scene, node)]);
    node.start({}, tree);
    await node.untilUp();
    await until(() => proxy.trusts(node.url), {
      withinMs: extendForQuickRun(trustedWithinMs, quick),
      everyMs: 100,
      what: `readiness of ${node.name} at haproxy`,
    });
    if (tree !== world.tree) await expectOlder(scene, node);
    counts.replacements!++;
    counts.slowestReplacementMs = Math.max(counts.slowestReplacementMs!, Math.round(performance.now() - startedAt));
    // Both versions serve side by side for a while.
    await moreAcknowledged(world, quick);
  }
  progress(`${what}; ${world.acknowledged()} acknowledged`);
}

/** Readiness must fail while the node still serves; otherwise the proxy learns too late. */
async function expectDrain({ world }: Scene, node: ServiceNode): Promise<void> {
  for (;;) {
    const status = await fetch(`${node.url}/health/ready`, { headers: { connection: 'close' } }).then(
      (response) => response.status,
      () => null,
    );
    if (status === 503) return;
    if (status === null) {
      world.find('wrong', `${node.name} closed its port before its readiness failed`);
      return;
    }
    await sleep(20);
  }
}

async function moreAcknowledged(world: World, quick: boolean): Promise<void> {
  const wanted = world.acknowledged() + acknowledgedBetweenSteps[quick ? 'quick' : 'full'];
  const isMore = () => world.acknowledged() >= wanted;
  await until(isMore, { withinMs: acknowledgedWithinMs, what: 'acknowledged changes' });
}

function expectDone(result: CommandResult, words: string[]): CommandResult {
  if (result.code !== 0) throw new Error(`lading ${words.join(' ')} ${result.description}`);
  return result;
}
