import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPid } from './child-process.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { holdToBound, watchHealing } from './healing.ts';
import { inTime, patiently } from './patience.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { type World, withWorld } from './world.ts';

/** A new cluster takes about 60 MB, and a copy of the binaries as much again where its user cannot reach those that are installed. */
const diskMegabytes = 320;
const walSegmentBytes = 16 * 1024 * 1024;

/** How the disk gets full. */
type Filling = (world: World, disk: SmallDisk, quick: boolean) => Promise<void>;

const fillings: Record<string, Filling> = {
  'no room for tables': noRoomForTables,
  'no room for the log of transactions': noRoomForLog,
};

/**
 * The disk of the embedded database is full: first tables cannot grow, then its log cannot, which ends the server, and it cannot even start again.
 * Callers are told so, nothing that was told is lost, and once there is room the service brings its database back by itself.
 */
export async function diskFull({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 1 : 5;
  const disk = mountSmallDisk(diskMegabytes);
  let figures: Record<string, number> = {};
  try {
    const report = await withWorld({ quick, seed, nodes: 2, progress, dataDirIn: disk.folder }, async (world) => {
      const watch = watchHealing(world, quick);
      const random = world.random.fork();
      let serverDeaths = 0;
      for (let round = 1; round <= rounds; round++) {
        for (const [name, fillUp] of Object.entries(fillings)) {
          await sleep(quick ? 500 : 1000);
          const serverBefore = postgresPid(world.dataDir);
          progress(`round ${round}: ${name}`);
          await fillUp(world, disk, quick);
          await sleep(quick ? 1500 : random.between(1000, 15_000));
          if (postgresPid(world.dataDir) !== serverBefore) serverDeaths++;
          disk.free();
          await watch.untilServed(name);
        }
      }
      if (serverDeaths < rounds) world.find('wrong', `the server survived a full disk: it died ${serverDeaths} times in ${rounds} rounds`);
      await sleep(500);
      figures = { ...watch.slowest, serverDeaths };
    });
    return {
      fault: 'disk-full',
      rounds: rounds * Object.keys(fillings).length,
      ...holdToBound({ ...report, figures: { ...report.figures, ...figures } }, quick),
    };
  } finally {
    disk.remove();
  }
}

/** The segment of the log that is in use has room, as long as it lasts. */
async function noRoomForTables(_world: World, disk: SmallDisk): Promise<void> {
  await disk.fill();
}

const messageBytes = 1_000_000;
const fullWithinMs = 60_000;

/** Tables could still grow a little; a new segment of the log, which somebody who writes a lot makes necessary, finds no room. */
async function noRoomForLog(world: World, disk: SmallDisk, quick: boolean): Promise<void> {
  await disk.fill(walSegmentBytes / 2);
  const writing = world.read(async (sql) => {
    // More than all segments that are kept for use, so that it ends with the server.
    for (let written = 0; written < 2 * diskMegabytes * 1024 * 1024; written += messageBytes) {
      await sql`select pg_logical_emit_message(false, 'faults', repeat('x', ${messageBytes}))`;
    }
  });
  const ended = writing.catch(() => {});
  await inTime(ended, { withinMs: patiently(fullWithinMs, quick), what: 'the log of transactions is full' });
}
