import { freePort, postgresPid, type Service, startProgram, stopService, waitUntilReady, withService } from '../faults/child-process.ts';
import { bearerRequest, getToken } from './bearer-request.ts';
import { median, type Output, rounded } from './figures.ts';
import { type LoadResult, startLoadGenerator } from './load-generator.ts';
import { watchOthers } from './others.ts';
import { stockUp } from './stock-up.ts';

const connections = 64;
const preparedPerSecond = 20_000;
const readyWithinSeconds = 60;
const searchPath = '/api/v2/default/getProductsData/searchList';

/** What is asked: something that costs nothing else, so that the check weighs as much as it can, and something useful. */
const calls: { name: string; path: string; body: object; status: number }[] = [
  { name: 'refused for its page_size (no database)', path: searchPath, body: { page_size: 0 }, status: 400 },
  { name: 'search of one product', path: searchPath, body: { 'products.sku_id': 'TOKEN-1' }, status: 200 },
];

interface Plan {
  patienceSeconds: number;
  warmUpSeconds: number;
  rounds: number;
  seconds: number;
}
const quickPlan: Plan = { patienceSeconds: 8, warmUpSeconds: 1.5, rounds: 3, seconds: 2 };
const fullPlan: Plan = { patienceSeconds: 300, warmUpSeconds: 3, rounds: 5, seconds: 5 };

/** Requests with a bearer token, beside the same route of the same program that does not check it; they take turns. */
export async function benchToken(options: { quick: boolean; env: Record<string, string> }, output: Output): Promise<{ correct: boolean }> {
  const plan = options.quick ? quickPlan : fullPlan;
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  return await withService(env, async (service, dataDir) => {
    const start = async (...args: string[]) =>
      startProgram(['bench/serve-main-api.ts', ...args], { dataDir, port: await freePort(), env: { ...env, ...options.env } });
    const checking = await start();
    const open = await start('unchecked');
    const load = startLoadGenerator();
    try {
      for (const one of [checking, open]) await waitUntilReady(one, readyWithinSeconds);
      await stockUp(service.url, ['TOKEN-1'], ['2099-12-31'], 1);
      const ours = [process.pid, load.pid, ...[service, checking, open].map((one) => one.process.pid!)];
      const watch = watchOthers(ours, [postgresPid(dataDir)!], plan.patienceSeconds);
      let wrong = 0;

      async function run(on: Service, request: Buffer, status: number, seconds: number): Promise<LoadResult & { others: number }> {
        const requests = { kind: 'same', bytes: request.toString('base64'), status } as const;
        const slice = {
          port: Number(new URL(on.url).port),
          connections,
          seconds,
          requestsMax: Math.ceil(seconds * preparedPerSecond),
          requests,
        };
        const { result, others } = await watch.undisturbed(() => load.run(slice));
        wrong += result.wrong + result.unanswered;
        if (result.example) output.progress(`  wrong: ${result.example}`);
        return { ...result, others };
      }

      const token = await getToken(service.url);
      for (const { name, path, body, status } of calls) {
        const request = bearerRequest(path, body, token);
        for (const on of [checking, open]) await run(on, request, status, plan.warmUpSeconds);
        const pairs: [checked: number, unchecked: number, others: number][] = [];
        for (let round = 1; round <= plan.rounds; round++) {
          const checked = await run(checking, request, status, plan.seconds);
          const unchecked = await run(open, request, status, plan.seconds);
          pairs.push([checked.perSecond, unchecked.perSecond, (checked.others + unchecked.others) / 2]);
          output.progress(`${name}: ${rounded(checked.perSecond, 0)}/s checked, ${rounded(unchecked.perSecond, 0)}/s unchecked`);
        }
        output.row(`requests per second, ${connections} connections`, {
          call: name,
          'with a token': rounded(median(pairs.map(([checked]) => checked)), 0),
          'without a check': rounded(median(pairs.map(([, unchecked]) => unchecked)), 0),
          ratio: rounded(median(pairs.map(([checked, unchecked]) => checked / unchecked)), 3),
          'others took, %': rounded(100 * median(pairs.map(([, , others]) => others)), 0),
        });
      }
      return { correct: wrong === 0 };
    } finally {
      load.stop();
      for (const one of [checking, open]) await stopService(one);
    }
  });
}
