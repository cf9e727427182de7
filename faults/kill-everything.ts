import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import {
  faultAccount,
  faultWarehouse,
  freePort,
  makeDataDir,
  postgresPid,
  provisioningFile,
  type Service,
  signalled,
  startService,
  stopService,
  syncProduct,
  waitUntilReady,
} from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { withConnection } from './own-connection.ts';
import { extendForQuickRun, until } from './patience.ts';
import { makeRandom, type Random } from './random.ts';
import { runAudit } from './run-audit.ts';

interface KillRound {
  when: 'first start' | 'starting' | 'running';
  killed: string;
  acknowledged: number;
  lost: string[];
  /** Responses that the contract does not allow. */
  strange: string[];
  readyMs: number;
}

const readyWithinMs = 60_000;

/**
 * Kills the node, PostgreSQL or both with -9 during the very first start, during a later start, and while requests are in
 * flight. The service must start and work again each time, and no acknowledged change may be lost.
 */
export async function killEverything({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const random = makeRandom(seed);
  const lasting = makeDataDir();
  const acknowledged = new Set<string>();
  const port = await freePort();
  const readyWithinSeconds = extendForQuickRun(readyWithinMs, quick) / 1000;
  const rounds: KillRound[] = [];
  try {
    for (let round = 1; round <= (quick ? 3 : 24); round++) {
      const when = (['first start', 'running', 'starting', 'running'] as const)[(round - 1) % 4]!;
      const folder = when === 'first start' ? makeDataDir() : lasting;
      const known = when === 'first start' ? new Set<string>() : acknowledged;
      const { lost, ...done } = await killOnce({
        dataDir: folder,
        port,
        round,
        when,
        acknowledged: known,
        random,
        readyWithinSeconds,
      });
      rounds.push({ lost, ...done });
      progress(`kill ${round}: ${JSON.stringify({ ...done, lost: lost.length })}`);
      if (folder !== lasting) await removeFolder(folder);
    }
    return reportOf(rounds, await runAudit({ DATA_DIR: lasting }));
  } finally {
    await removeFolder(lasting);
  }
}

function reportOf(rounds: KillRound[], audit: string): FaultReport {
  const lost = new Set(rounds.flatMap((round) => round.lost));
  const slowestReadyMs = (when: KillRound['when']) =>
    Math.max(0, ...rounds.filter((round) => round.when === when).map((round) => round.readyMs));
  const wrong = [...rounds.flatMap((round) => round.strange), ...(audit === 'clean' ? [] : [`lading audit ${audit}`])];
  return {
    ...emptyReport('kill'),
    rounds: rounds.length,
    acknowledged: rounds.reduce((sum, round) => sum + round.acknowledged, 0),
    lost: lost.size,
    wrong: wrong.length,
    longestOutageMs: Math.max(...rounds.map((round) => round.readyMs)),
    audit: audit.split('\n', 1)[0]!,
    figures: {
      readyAfterFirstStartMs: slowestReadyMs('first start'),
      readyAfterStartingMs: slowestReadyMs('starting'),
      readyAfterRunningMs: slowestReadyMs('running'),
    },
    findings: [...[...lost].map((sku) => `lost: sku ${sku} was acknowledged, and is not stored`), ...wrong],
  };
}

interface Kill {
  dataDir: string;
  port: number;
  round: number;
  when: KillRound['when'];
  acknowledged: Set<string>;
  random: Random;
  readyWithinSeconds: number;
}

async function killOnce({
  dataDir,
  port,
  round,
  when,
  acknowledged,
  random,
  readyWithinSeconds,
}: Kill): Promise<KillRound> {
  const apply = join(dataDir, provisioningFile);
  const service = startService({ dataDir, port, apply });
  const before = acknowledged.size;
  const strange: string[] = [];
  const work = makeWork(service, round, { acknowledged, strange });
  if (when === 'running') {
    await waitUntilReady(service, readyWithinSeconds);
    work.begin();
    await sleep(random.between(300, 900));
    const isWorking = () => acknowledged.size > before;
    await until(isWorking, { withinMs: readyWithinSeconds * 1000, what: 'the first acknowledged change' });
  } else await sleep(random.between(0, when === 'first start' ? 3000 : 1200));
  const killed = await kill(service, dataDir, round);
  await work.end();

  const again = startService({ dataDir, port, apply });
  const readyMs = Math.round(await waitUntilReady(again, readyWithinSeconds));
  await sell(again, `R${round}-afterwards`).then(
    (sku) => acknowledged.add(sku),
    (error) => strange.push(`round ${round}: started again and ready, it failed: ${error}`),
  );
  const lost = await findLost(dataDir, acknowledged);
  await stopService(again, 'SIGKILL');
  return { when, killed, acknowledged: acknowledged.size - before, lost, strange, readyMs };
}

/** Creates a product, receives it and orders it, so that there is stock to audit. */
async function sell(service: Service, sku_id: string): Promise<string> {
  const warehouse = faultWarehouse(service);
  const warehouse_tpw_id = faultAccount.tenant;
  await warehouse.productSync({ sku_id, sku_name: 'Faults', storage_type: 1 });
  const received = [{ sku_id, expires: [{ expire_date: '2099-01-31', qty: 10 }] }];
  await warehouse.inboundCreate({ inbound_short_id: `IN-${sku_id}`, warehouse_tpw_id, details: received });
  const address = { consignee_country: 'TW', logistics_type: 'home', express_type: 'tcat' } as const;
  await warehouse.outboundCreate({
    outbound_short_id: `OUT-${sku_id}`,
    warehouse_tpw_id,
    ...address,
    details: [{ sku_id, qty: 3 }],
  });
  return sku_id;
}

/** Opening and closing a PostgreSQL that is still running stops it. */
async function removeFolder(folder: string): Promise<void> {
  await openEmbeddedPostgres({ dataDir: folder }).then((postgres) => postgres.close());
  rmSync(folder, { recursive: true, force: true });
}

function makeWork(
  service: Service,
  round: number,
  { acknowledged, strange }: { acknowledged: Set<string>; strange: string[] },
) {
  const noAnswer = 0;
  let isOver = false;
  let working: Promise<void>[] = [];
  const worker = async (name: number) => {
    for (let count = 0; !isOver; count++) {
      const sku = `R${round}-${name}-${count}`;
      const status = await syncProduct(service, sku).catch(() => noAnswer);
      if (status === 200) acknowledged.add(sku);
      else if (status !== noAnswer && status !== 503)
        strange.push(`round ${round}: ${sku} was answered with ${status}`);
    }
  };
  return {
    begin() {
      working = [1, 2, 3, 4].map(worker);
    },
    async end() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

async function kill(service: Service, dataDir: string, round: number): Promise<string> {
  const postgres = postgresPid(dataDir);
  const targets = (['node', 'postgres', 'both'] as const)[round % 3]!;
  if (targets !== 'postgres') service.process.kill('SIGKILL');
  if (targets !== 'node' && postgres !== null) signalled(postgres, 'SIGKILL');
  // The rest is killed a moment later, so that only orphans of PostgreSQL survive this round.
  await sleep(100);
  await stopService(service, 'SIGKILL');
  return targets;
}

async function findLost(dataDir: string, acknowledged: Set<string>): Promise<string[]> {
  const postgres = await openEmbeddedPostgres({ dataDir });
  try {
    const rows = await withConnection(postgres.connection, (sql) =>
      inEveryAccount(
        sql,
        (own, accountId) => own<{ sku_id: string }[]>`select sku_id from product where account_id = ${accountId}`,
      ),
    );
    const found = new Set(rows.map((row) => row.sku_id));
    return [...acknowledged].filter((sku) => !found.has(sku));
  } finally {
    await postgres.close();
  }
}
