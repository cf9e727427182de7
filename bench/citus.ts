import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  makeDataDir,
  onInterrupt,
  provisioningFile,
  type Service,
  startProgram,
  stopService,
  waitUntilReady,
} from '../faults/child-process.ts';
import { connect, openDatabase } from '../server/platform/postgres/database.ts';
import { migrate } from '../server/platform/postgres/migrate.ts';
import {
  asOwner,
  type CitusCluster,
  citusMissing,
  findCitusPrograms,
  makeCitusDatabase,
  migrateAndDistribute,
  startCitus,
} from '../test/support/citus-cluster.ts';
import { type ConnectionOptions, serviceRole } from '../test/support/database.ts';
import { stockUpForOrders } from './api-requests.ts';
import { provisionAccounts } from './bench-accounts.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';
import { type LoadGenerator, type LoadResult, startLoadGenerator } from './load-generator.ts';
import { checkOrders, makeOrderTraffic, type OrderTraffic } from './order-traffic.ts';
import { watchOthers } from './others.ts';
import { stockUpOtherAccounts } from './stock-accounts.ts';
import { type Contestant, figuresOf, ratioOf, type Turn, takeTurns } from './turns.ts';

const laneCounts = [1, 2, 4];
const accounts = 8;
const connections = 64;
const workers = 2;
const database = 'lading';
const readyWithinSeconds = 60;

/**
 * Orders of several accounts on a coordinator with two workers, with one, two and four lanes, and on one PostgreSQL of
 * the same version. All services run side by side and take turns. Everything shares this machine, so this shows what
 * distribution costs, not what more machines bring.
 */
export async function benchCitus(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const programs = findCitusPrograms();
  if (programs === null) {
    output.row('citus', { skipped: citusMissing });
    return { mistakes: [] };
  }
  const plain = await startCitus(programs, { workers: 0, settings: { shared_preload_libraries: '' } });
  const citus = await startCitus(programs, { workers });
  const forget = onInterrupt(() => void Promise.all([plain.close(), citus.close()]));
  const bench = new Bench(options, output);
  try {
    await bench.add(await makePlainDatabase(plain), [{ name: 'one PostgreSQL', lanes: null }]);
    const distributed = await makeCitusDatabase(citus, database);
    await migrateAndDistribute(distributed);
    await bench.add(
      distributed,
      laneCounts.map((lanes) => ({ name: `Citus, ${lanes} lanes`, lanes })),
    );
    await bench.measure();
    return { mistakes: await bench.check() };
  } finally {
    await bench.close();
    await Promise.all([plain.close(), citus.close()]);
    forget();
  }
}

async function makePlainDatabase({ coordinator }: CitusCluster): Promise<ConnectionOptions> {
  await asOwner(coordinator.connection, (sql) => sql.unsafe(`create database ${database}`));
  const connection = { ...coordinator.connection, database };
  await migrate(connection, { apply: true, service: { name: serviceRole, password: '' } });
  return connection;
}

interface Contender {
  traffic: OrderTraffic;
  connection: ConnectionOptions;
}

class Bench {
  private readonly options: BenchOptions;
  private readonly output: Output;
  private readonly load: LoadGenerator;
  private readonly services: Service[];
  private readonly dataDirs: string[];
  private readonly contenders: Contender[];

  constructor(options: BenchOptions, output: Output) {
    this.options = options;
    this.output = output;
    this.load = startLoadGenerator();
    this.services = [];
    this.dataDirs = [];
    this.contenders = [];
  }

  /** Starts a service for each number of lanes on one database, with products and stock. */
  async add(connection: ConnectionOptions, shapes: { name: string; lanes: number | null }[]): Promise<void> {
    const dataDir = makeDataDir();
    this.dataDirs.push(dataDir);
    provisionAccounts(dataDir, accounts);
    for (const [index, { name, lanes }] of shapes.entries()) {
      const port = await freePort();
      const service = startProgram(['cli/serve.ts', '--apply', join(dataDir, provisioningFile)], {
        dataDir,
        port,
        env: { ...environmentOf(connection), ACCOUNT_LANES: String(lanes ?? 'off') },
      });
      this.services.push(service);
      await waitUntilReady(service, readyWithinSeconds);
      if (index === 0) {
        await stockUpForOrders(service.url);
        await stockUpOtherAccounts(port, accounts);
      }
      const numbersBeginWith = `C${this.contenders.length}-`;
      const { load, options } = this;
      const traffic = makeOrderTraffic({ name, numbersBeginWith, load, port, seed: options.seed }, this.output);
      this.contenders.push({ traffic, connection });
    }
  }

  async measure(): Promise<void> {
    const { options, output } = this;
    const contestants: Record<string, Contestant<LoadResult>> = Object.fromEntries(
      this.contenders.map(({ traffic }) => [
        traffic.name,
        { name: traffic.name, run: (seconds: number) => traffic.run('few', connections, seconds, accounts) },
      ]),
    );
    const watch = watchOthers(options.plan.patienceSeconds);
    const turns = await takeTurns(contestants, { plan: options.plan, watch, output });
    const yardstick = turns[this.contenders[0]!.traffic.name]!;
    for (const [name, own] of Object.entries<Turn<LoadResult>[]>(turns))
      output.row('orders', {
        on: name,
        accounts,
        connections,
        ...figuresOf(own),
        'of one PostgreSQL': rounded(ratioOf(own, yardstick), 2),
      });
  }

  /** Exactly the acknowledged orders exist, and the books match. */
  async check(): Promise<string[]> {
    const mistakes: string[] = [];
    for (const [connection, own] of Map.groupBy(this.contenders, (one) => one.connection)) {
      const sql = connect(connection, 1);
      const service = openDatabase({ ...connection, username: serviceRole }, { max: 2, deadlineSeconds: null });
      const promises = own.map(({ traffic }) => traffic);
      mistakes.push(...(await checkOrders({ sql, database: service }, promises, this.output)));
      await Promise.all([sql.end(), service.close()]);
    }
    return mistakes;
  }

  async close(): Promise<void> {
    this.load.stop();
    for (const service of this.services) await stopService(service);
    for (const dataDir of this.dataDirs) rmSync(dataDir, { recursive: true, force: true });
  }
}

function environmentOf({ host, port, username, database }: ConnectionOptions): Record<string, string> {
  const urlOf = (user: string) => `postgres://${user}@${host}:${port}/${database}`;
  return {
    DATABASE_URL: urlOf(serviceRole),
    DATABASE_OWNER_URL: urlOf(username),
    MASTER_KEY: Buffer.alloc(32, 'bench').toString('base64'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  };
}
