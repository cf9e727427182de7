import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainSql } from '../server/platform/postgres/database.ts';
import { postgresPid } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { checkResponseTime, watchRecovery } from './healing.ts';
import { extendForQuickRun, withTimeout } from './patience.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { type World, withWorld } from './world.ts';

/** A new cluster takes about 60 MB, and a copy of the binaries, which some systems need, another 60 MB. */
const diskMegabytes = 320;
const walSegmentBytes = 16 * 1024 * 1024;

interface FullDisk {
  world: World;
  disk: SmallDisk;
  quick: boolean;
  hasDied(): boolean;
}

type Filling = (full: FullDisk) => Promise<void>;

const fillings: Record<string, Filling> = {
  'no room for tables': noRoomForTables,
  'no room for the write-ahead log': noRoomForLog,
};

/**
 * Fills the disk of the embedded database. First tables cannot grow; then the write-ahead log cannot grow, which crashes
 * the server and prevents its restart. Callers must get 503, no acknowledged change may be lost, and once there is free
 * space the service must restart its database by itself.
 */
export async function diskFull({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 1 : 5;
  const disk = mountSmallDisk(diskMegabytes);
  let figures: Record<string, number> = {};
  try {
    const report = await withWorld({ quick, seed, nodes: 2, progress, dataDirIn: disk.folder }, async (world) => {
      const watch = watchRecovery(world, quick);
      const random = world.random.fork();
      let serverDeaths = 0;
      for (let round = 1; round <= rounds; round++) {
        for (const [name, fillUp] of Object.entries(fillings)) {
          await sleep(quick ? 500 : 1000);
          const serverBefore = postgresPid(world.dataDir);
          progress(`round ${round}: ${name}`);
          const hasDied = () => postgresPid(world.dataDir) !== serverBefore;
          await fillUp({ world, disk, quick, hasDied });
          await sleep(quick ? 1500 : random.between(1000, 15_000));
          if (hasDied()) serverDeaths++;
          disk.free();
          await watch.untilServed(name);
        }
      }
      if (serverDeaths < rounds)
        world.find('wrong', `the server survived a full disk: it died ${serverDeaths} times in ${rounds} rounds`);
      await sleep(500);
      figures = { ...watch.slowest, serverDeaths };
    });
    return {
      fault: 'disk-full',
      rounds: rounds * Object.keys(fillings).length,
      ...checkResponseTime({ ...report, figures: { ...report.figures, ...figures } }, quick),
    };
  } finally {
    disk.remove();
  }
}

/** The current segment of the write-ahead log is already allocated, so the server keeps running for a while. */
async function noRoomForTables({ disk }: FullDisk): Promise<void> {
  await disk.fill();
}

const messageBytes = 1_000_000;
const fullWithinMs = 60_000;

/** Leaves less space than a new log segment needs, and then writes until the server has crashed for want of one. */
async function noRoomForLog({ world, disk, quick, hasDied }: FullDisk): Promise<void> {
  await disk.fill(walSegmentBytes / 2);
  const writing = async () => {
    // Writing also fails while the server recovers from its first crash, before it gives up.
    while (!hasDied()) await world.read(writeMoreThanFits).catch(() => sleep(100));
  };
  await withTimeout(writing(), { withinMs: extendForQuickRun(fullWithinMs, quick), what: 'a full write-ahead log' });
}

/** More than all allocated segments can hold, so the server crashes before this ends. */
async function writeMoreThanFits(sql: PlainSql): Promise<void> {
  for (let written = 0; written < 2 * diskMegabytes * 1024 * 1024; written += messageBytes) {
    await sql`select pg_logical_emit_message(false, 'faults', repeat('x', ${messageBytes}))`;
  }
}
