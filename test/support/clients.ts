import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { LogisticsClient, MainClient, RefusedError, WarehouseClient } from '../../sdk/client.ts';
import { alpha, type TestApp } from './app.ts';
import { throughProxy } from './validating-proxy.ts';

/** The SDK clients of a partner. */
export interface Clients {
  warehouse: WarehouseClient;
  main: MainClient;
  logistics: LogisticsClient;
}

export type Credentials = Pick<typeof alpha, 'accountNo' | 'secret' | 'clientId' | 'checkValue' | 'apiKey'>;

/**
 * Creates clients of an account that use a real socket. They sign with the time of the machine, so the app must use a
 * running clock.
 */
export async function clientsOf(
  app: TestApp,
  { accountNo, secret, clientId, checkValue, apiKey }: Credentials = alpha,
): Promise<Clients> {
  // In a test, an error that a retry would hide must be visible.
  const to = { url: await throughProxy(await addressOf(app)), retriesMax: 0 };
  return {
    warehouse: new WarehouseClient({ ...to, accountNo, secret, basePath: app.config.warehouseBasePath }),
    main: new MainClient({ ...to, clientId, checkValue }),
    logistics: new LogisticsClient({ ...to, apiKey, segment: app.config.logisticsSegment }),
  };
}

/** Starts listening and returns the URL. */
export async function addressOf({ http }: TestApp): Promise<string> {
  if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}

/** Expects a rejection and returns its reason. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ status: number | null; code: string | null; message: string }> {
  const error = await call.then(
    (answer) => assert.fail(`not refused: ${JSON.stringify(answer)}`),
    (thrown) => thrown,
  );
  if (!(error instanceof RefusedError)) throw error;
  const { status, code, reason, trace_id, message } = error;
  assert.equal(message, `${reason} (trace_id ${trace_id})`);
  return { status, code, message: reason };
}
