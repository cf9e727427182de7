import { makeRandom, type Random } from '../faults/random.ts';
import { auditStock } from '../server/domain/audit/audit-stock.ts';
import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import type { Output } from './figures.ts';
import type { LoadGenerator, LoadResult } from './load-generator.ts';
import type { OrderShape } from './order-shapes.ts';
import type { Contestant } from './turns.ts';
import type { Workbench } from './workbench.ts';

/** The minimum number of requests prepared per second; at least twice the highest rate so far. */
const preparedPerSecondMin = 5000;
const preparedPerConnectionAndSecond = 2500;

/** The orders acknowledged by one implementation; all of them must exist afterwards. */
export interface Promised {
  name: string;
  numbersBeginWith: string;
  acknowledged: number;
  /** Orders that may or may not exist. */
  unanswered: number;
  wrong: number;
}

export interface OrderTraffic extends Promised {
  /** Orders of `accounts` accounts in turn, by default of one. */
  run(shape: OrderShape, connections: number, seconds: number, accounts?: number): Promise<LoadResult>;
  contestant(shape: OrderShape, connections: number): Contestant<LoadResult>;
}

/** Sends orders over HTTP with unique numbers, and counts the acknowledged ones. */
export function makeOrderTraffic(
  {
    name,
    numbersBeginWith,
    load,
    port,
    seed,
  }: Pick<Promised, 'name' | 'numbersBeginWith'> & { load: LoadGenerator; port: number; seed: number },
  output: Output,
): OrderTraffic {
  const random: Random = makeRandom(seed);
  let slices = 0;
  let fastest = 0;

  async function run(shape: OrderShape, connections: number, seconds: number, accounts = 1): Promise<LoadResult> {
    const perSecond = Math.min(
      Math.max(preparedPerSecondMin, 2 * fastest),
      connections * preparedPerConnectionAndSecond,
    );
    const requestsMax = Math.ceil(seconds * perSecond);
    const requests = {
      kind: 'orders',
      shape,
      accounts,
      numbersBeginWith: `${numbersBeginWith}${++slices}-`,
      seed: random.upTo(2 ** 31),
    } as const;
    const result = await load.run({ port, connections, seconds, requestsMax, requests });
    fastest = Math.max(fastest, result.perSecond);
    for (const count of ['acknowledged', 'unanswered', 'wrong'] as const) traffic[count] += result[count];
    if (result.wrong > 0) output.progress(`  ${result.wrong} wrong answers, such as: ${result.example}`);
    if (result.ranOut) output.progress('  all prepared requests were used before the time was up');
    return result;
  }

  const traffic: OrderTraffic = {
    name,
    numbersBeginWith,
    acknowledged: 0,
    unanswered: 0,
    wrong: 0,
    run,
    contestant: (shape, connections) => ({
      name: `${name}, ${shape}, ${connections} connections`,
      run: (seconds) => run(shape, connections, seconds),
    }),
  };
  return traffic;
}

/**
 * Checks that exactly the acknowledged orders exist, with their lines, and that balances, movements, lines and
 * allocations agree.
 */
export async function checkOrders(
  workbench: Pick<Workbench, 'sql' | 'database'>,
  promises: Promised[],
  output: Output,
): Promise<string[]> {
  const mistakes = await findMissingOrders(workbench, promises, output);
  const { findings } = await auditStock(workbench.database);
  if (findings.length > 0) mistakes.push(`the audit found ${findings.length}, such as ${JSON.stringify(findings[0])}`);
  return mistakes;
}

/** Checks that exactly the acknowledged orders exist, with their lines. */
export async function findMissingOrders(
  { sql }: Pick<Workbench, 'sql'>,
  promises: Promised[],
  output: Output,
): Promise<string[]> {
  const mistakes: string[] = [];
  for (const { name, numbersBeginWith, acknowledged, unanswered, wrong } of promises) {
    const counts = await inEveryAccount(
      sql,
      (own, accountId) => own<{ orders: number; empty: number }[]>`
      select count(*) as orders, count(*) filter (where not exists (
        select from order_line l where l.account_id = ${accountId} and l.order_id = o.order_id)) as empty
      from orders o where account_id = ${accountId} and starts_with(partner_number, ${numbersBeginWith})`,
    );
    const orders = counts.reduce((sum, one) => sum + one.orders, 0);
    const empty = counts.reduce((sum, one) => sum + one.empty, 0);
    if (orders < acknowledged) mistakes.push(`${name}: ${acknowledged - orders} acknowledged orders are missing`);
    if (orders > acknowledged + unanswered)
      mistakes.push(`${name}: ${orders - acknowledged - unanswered} orders exist without a response`);
    if (empty > 0) mistakes.push(`${name}: ${empty} orders have no lines`);
    if (wrong > 0) mistakes.push(`${name}: ${wrong} answers were not a new order`);
    output.row('correctness', {
      'orders by': name,
      acknowledged,
      'never answered': unanswered,
      'in the table': orders,
      'wrong answers': wrong,
    });
  }
  return mistakes;
}
