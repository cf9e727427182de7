import { faultClient, type Service } from '../faults/child-process.ts';
import { bearerRequest, getToken, plainRequest } from './bearer-request.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';
import type { LoadResult } from './load-generator.ts';
import { stockUp } from './stock-up.ts';
import { type Contestant, othersOf, ratioOf, takeTurns, typical } from './turns.ts';
import { withWorkbench } from './workbench.ts';

const connections = 64;
const preparedPerSecond = 20_000;
const searchPath = '/api/v2/default/getProductsData/searchList';

/** The measured requests: one that does almost nothing else, so that the check dominates, and a realistic one. */
const calls: { name: string; body: object; status: number }[] = [
  { name: 'refused for its page_size (no database)', body: { page_size: 0 }, status: 400 },
  { name: 'search of one product', body: { 'products.sku_id': 'TOKEN-1' }, status: 200 },
];

/**
 * Compares requests with a bearer token with the same route without the check, and the token endpoint with a request
 * that is rejected immediately, which shows the cost of HTTP alone.
 */
export async function benchToken(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  return await withWorkbench(options, output, async ({ service, beside, load, watch }) => {
    const checking = await beside(['bench/serve-main-api.ts']);
    const open = await beside(['bench/serve-main-api.ts', 'unchecked']);
    await stockUp(service.url, ['TOKEN-1'], ['2099-12-31'], 1);
    let wrong = 0;

    function contestant(name: string, on: Service, request: Buffer, status: number): Contestant<LoadResult> {
      const port = Number(new URL(on.url).port);
      const requests = { kind: 'same', bytes: request.toString('base64'), status } as const;
      return {
        name,
        async run(seconds) {
          const result = await load.run({
            port,
            connections,
            seconds,
            requestsMax: Math.ceil(seconds * preparedPerSecond),
            requests,
          });
          wrong += result.wrong + result.unanswered;
          if (result.example) output.progress(`  wrong: ${result.example}`);
          return result;
        },
      };
    }

    async function compare(
      call: string,
      measured: Contestant<LoadResult>,
      yardstick: Contestant<LoadResult>,
    ): Promise<void> {
      const turns = await takeTurns({ measured, yardstick }, { plan: options.plan, watch, output });
      output.row(`requests per second, ${connections} connections`, {
        call: `${call}, ${measured.name}`,
        'per second': rounded(typical(turns.measured, 'perSecond'), 0),
        beside: yardstick.name,
        'its per second': rounded(typical(turns.yardstick, 'perSecond'), 0),
        ratio: rounded(ratioOf(turns.measured, turns.yardstick), 3),
        'others took, %': othersOf([...turns.measured, ...turns.yardstick]),
      });
    }

    const token = await getToken(service.url);
    for (const { name, body, status } of calls) {
      const request = bearerRequest(searchPath, body, token);
      await compare(
        name,
        contestant('with a token', checking, request, status),
        contestant('without a check', open, request, status),
      );
    }
    const credentials = { ClientId: faultClient.clientId, CheckValue: faultClient.checkValue };
    const giving = contestant('a token is given', checking, plainRequest('/api/v1/token/getToken', credentials), 200);
    const refused = contestant(
      'refused without a check',
      open,
      bearerRequest(searchPath, { page_size: 0 }, token),
      400,
    );
    await compare('getToken', giving, refused);
    return { mistakes: wrong === 0 ? [] : [`${wrong} answers were not what they should be`] };
  });
}
